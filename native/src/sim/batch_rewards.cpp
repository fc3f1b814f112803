// What a step is worth: base components, shaping, potentials, metrics.
#include <algorithm>

#include "sim/batch.hpp"

namespace gymwright {

void Batch::accumulateBase(int first, int count) {
  const int numAgents = shape.numAgents;
  const int numBase = shape.numBase;
  const int width = shape.numComponents();
  const double* base = blockComponents_.data();
  double* rewards = baseRewards_.data();
  float* components = out.components + index(first, numAgents * width);
  for (int l = 0; l < count; ++l) {
    double* returns = sumRow(first + l);
    double* sum = returns + numAgents;
    for (int a = 0; a < numAgents; ++a, components += width) {
      double reward = 0.0;
      for (int c = 0; c < numBase; ++c) {
        // As it is told: whoever keeps the components can come to the same reward.
        const double value = static_cast<float>(*base++);
        reward += value;
        *sum++ += value;
        components[c] = static_cast<float>(value);
      }
      returns[a] += reward;
      *rewards++ = reward;
    }
  }
}

void Batch::accumulateShaping(int first, int count) {
  Lanes* block = words.block(first);
  for (Lanes& total : totals_) total.fill(0.0);
  for (Lanes& gain : jointGains_) gain.fill(0.0);
  int potential = 0;
  for (int c = 0; c < shape.numShaping; ++c) {
    const ShapingComponent& component = config.program.components[at(c)];
    for (int a = 0; a < shape.numAgents; ++a) {
      if (component.isPotential) addPotential(c, potential, a, first, count);
      const Lanes& given =
          component.isPotential ? differences_[index(c, shape.numAgents) + at(a)] : machine.given(c, a);
      double* sum = block[words.shapingWord(c, a)].data();
      const double weight = component.isPotential ? 1.0 : weights[at(c)];
      const int member = jointMember_[at(c)];
      Lanes& total = member < 0 ? totals_[at(a)] : jointGains_[index(member, shape.numAgents) + at(a)];
      machine.kernels().accumulate(sum, total.data(), given.data(), weight, component.episodeLimit);
      float* target = out.components + index(first * shape.numAgents + a, shape.numComponents()) + shape.numBase + c;
      const std::size_t stride = index(shape.numAgents, shape.numComponents());
      for (int l = 0; l < count; ++l, target += stride) *target = static_cast<float>(given.values[l]);
    }
    if (component.isPotential) ++potential;
  }
  if (!jointGains_.empty()) holdTogether(first, count);
}

/// Where the sums of the components that are bounded together would leave the bounds, only that part of the step's
/// gains enters that leads up to them: the same part of each.
void Batch::holdTogether(int first, int count) {
  Lanes* block = words.block(first);
  const auto& [members, limit] = config.jointLimit;
  for (int a = 0; a < shape.numAgents; ++a) {
    for (int l = 0; l < count; ++l) {
      double sum = 0.0;
      double gain = 0.0;
      for (std::size_t m = 0; m < members.size(); ++m) {
        sum += block[words.shapingWord(members[m], a)].values[l];
        gain += jointGains_[m * at(shape.numAgents) + at(a)].values[l];
      }
      const double excess = sum - std::clamp(sum, -limit, limit);
      if (excess != 0.0 && gain != 0.0) {
        const double refused = std::clamp(excess / gain, 0.0, 1.0);
        for (std::size_t m = 0; m < members.size(); ++m) {
          block[words.shapingWord(members[m], a)].values[l] -=
              refused * jointGains_[m * at(shape.numAgents) + at(a)].values[l];
        }
        gain -= refused * gain;
      }
      totals_[at(a)].values[l] += gain;
    }
  }
}

/// gamma w' phi(s') - w phi(s), phi being 0 where the episode is over; nothing where the copy trapped.
void Batch::addPotential(int component, int potential, int agent, int first, int count) {
  Lanes& kept = words.block(first)[words.potentialWord(potential, agent)];
  Lanes& difference = differences_[index(component, shape.numAgents) + at(agent)];
  const Lanes& values = machine.potential(component, agent);
  for (int l = 0; l < count; ++l) {
    const double weighted = isPlayOver_[at(l)] ? 0.0 : weights[at(component)] * values.values[l];
    difference.values[l] = laneTraps_.has(l) ? 0.0 : config.gamma * weighted - kept.values[l];
    kept.values[l] = weighted;
  }
}

void Batch::writeRewards(int first, int count) {
  for (int a = 0; a < shape.numAgents; ++a) {
    for (int l = 0; l < count; ++l) {
      const double base = baseRewards_[index(l, shape.numAgents) + at(a)];
      const double reward = shape.numShaping > 0 ? base + totals_[at(a)].values[l] : base;
      out.rewards[index(first + l, shape.numAgents) + at(a)] = static_cast<float>(reward);
    }
  }
}

void Batch::recordEpisode(int env) {
  float* obs = out.finalObs + index(env, shape.numAgents * shape.obsDim);
  scenario.writeObs(state(env), obs);
  scenario.writeState(state(env), obs, out.finalState + index(env, shape.stateDim));
  scenario.writeAvailActions(state(env), out.finalAvailActions + index(env, shape.numAgents * shape.numActions));
  scenario.writeActive(state(env), out.finalActive + index(env, shape.numAgents));
  std::copy_n(state(env), shape.stateWords, finalStates.data() + index(env, shape.stateWords));
  out.endedEpisode[env] = static_cast<double>(episodes[at(env)]);
  out.episodeLength[env] = steps[at(env)];
  const double* returns = sumRow(env);
  const double* base = returns + shape.numAgents;
  double* components = out.episodeComponents + index(env, shape.numAgents * shape.numComponents());
  for (int a = 0; a < shape.numAgents; ++a) {
    out.episodeReturn[index(env, shape.numAgents) + at(a)] = returns[a];
    double* row = std::copy_n(base + a * shape.numBase, shape.numBase, components + a * shape.numComponents());
    for (int c = 0; c < shape.numShaping; ++c) row[c] = words.at(env, words.shapingWord(c, a));
  }
  recordMetrics(env);
}

void Batch::recordMetrics(int env) {
  double* rows = out.episodeMetrics + index(env, shape.numAgents * shape.numMetrics);
  scenario.writeMetrics(state(env), steps[at(env)], rows);
  const int own = shape.numMetrics - shape.numBaseMetrics;
  if (own == 0) return;
  // The scenario wrote rows of its own width: they move apart, the last one first.
  for (int a = shape.numAgents - 1; a >= 0; --a) {
    double* row = rows + index(a, shape.numMetrics);
    const double* written = rows + index(a, shape.numBaseMetrics);
    std::copy_backward(written, written + shape.numBaseMetrics, row + shape.numBaseMetrics);
    for (int q = 0; q < own; ++q) row[shape.numBaseMetrics + q] = words.metric(env, q, a);
  }
}

void Batch::probeBlock(int first, int count, double* target) {
  const auto numMetrics = static_cast<int>(config.program.metrics.size());
  laneTraps_.clear();
  words.load(first, machine);
  machine.runAlone(Section::kMetrics, view(first, count), laneTraps_);
  for (int l = 0; l < count; ++l) {
    for (int a = 0; a < shape.numAgents; ++a) {
      for (int q = 0; q < numMetrics; ++q) {
        *target++ = laneTraps_.has(l) ? kUndefined : machine.metric(q, a, l);
      }
    }
  }
}

}  // namespace gymwright
