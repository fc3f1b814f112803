#include "vm/workspace.hpp"

#include <algorithm>
#include <bit>

namespace gymwright {

Workspace::Workspace(const Program& given, const Scenario& world, const Kernels& loops)
    : program(given),
      scenario(world),
      kernels(loops),
      numAgents(world.manifest().numAgents),
      before(world, loops),
      after(world, loops),
      attributes(given, world, loops) {
  const auto agents = static_cast<std::size_t>(numAgents);
  registers.resize(2 * static_cast<std::size_t>(program.numRegisters));
  for (Lanes& lanes : registers) lanes.fill(0.0);
  memory.resize(program.memory.size());
  for (std::size_t w = 0; w < memory.size(); ++w) memory[w].before.fill(program.memory[w]);
  gives.resize(program.components.size() * agents);
  potentials.resize(program.components.size() * agents);
  int numSamples = 0;
  for (const ProgramMetric& metric : program.metrics) {
    firstSample.push_back(numSamples);
    numSamples += metric.isPerAgent ? numAgents : 1;
  }
  samples.resize(static_cast<std::size_t>(numSamples));
  choices.resize(agents);
  const auto& control = program.section(Section::kControl).code;
  pending.reserve(kLanes * static_cast<std::size_t>(std::count_if(control.begin(), control.end(),
                                                                  [](auto i) { return i.op == Opcode::EVENT; })));
  fireCounts.assign(program.declarations.size(), 0.0);
}

std::optional<double> Workspace::constantIn(const double* lanes) const {
  const auto known = constantValues_.find(lanes);
  return known == constantValues_.end() ? std::nullopt : std::optional(known->second);
}

Lanes& Workspace::constant(double value) {
  const auto [known, isNew] = constants_.try_emplace(std::bit_cast<std::uint64_t>(value));
  Lanes& lanes = known->second;
  if (isNew) {
    lanes.fill(value);
    constantValues_.emplace(lanes.data(), value);
  }
  return lanes;
}

}  // namespace gymwright
