#include "spec.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "arguments.hpp"
#include "gymwright/vec_env.hpp"

namespace gymwright::addon {
namespace {

constexpr std::int64_t kMaxSafe = (std::int64_t{1} << 53) - 1;

std::string item(const std::string& name, std::uint32_t index) { return name + "[" + std::to_string(index) + "]"; }

/// Reads a list with `read(item, its name)`.
template <typename T, typename F>
std::vector<T> toList(const Napi::Value& value, const std::string& name, F read) {
  const Napi::Array array = toArray(value, name);
  std::vector<T> list;
  for (std::uint32_t i = 0; i < array.Length(); ++i) list.push_back(read(array.Get(i), item(name, i)));
  return list;
}

template <typename T>
std::vector<T> toNumbers(const Napi::Value& value, const std::string& name) {
  const auto array = toTypedArray<T>(value, name);
  return std::vector<T>(array.Data(), array.Data() + array.ElementLength());
}

Declaration toDeclaration(const Napi::Value& value, const std::string& name) {
  const Napi::Object object = toObject(value, name);
  constexpr std::int64_t kMaxKey = std::numeric_limits<std::uint32_t>::max();
  return {toText(object.Get("name"), name + ".name"),
          static_cast<std::uint32_t>(toInteger(object.Get("key"), name + ".key", 0, kMaxKey))};
}

ShapingComponent toComponent(const Napi::Value& value, const std::string& name) {
  const Napi::Object object = toObject(value, name);
  const Napi::Value limit = object.Get("episodeLimit");
  if (!limit.IsNumber()) throw typeError(value.Env(), name + ".episodeLimit", "a number");
  // Infinity means no limit; the verifier refuses the rest.
  return {toText(object.Get("name"), name + ".name"), toNumber(object.Get("halfLifeSteps"), name + ".halfLifeSteps"),
          limit.As<Napi::Number>().DoubleValue(), toBoolean(object.Get("isPotential"), name + ".isPotential")};
}

ProgramMetric toMetric(const Napi::Value& value, const std::string& name) {
  constexpr std::array<const char*, 5> kFolds = {"mean", "sum", "min", "max", "last"};
  const Napi::Object object = toObject(value, name);
  const std::string fold = toText(object.Get("fold"), name + ".fold");
  const auto found = std::find(kFolds.begin(), kFolds.end(), fold);
  if (found == kFolds.end()) throw rangeError(value.Env(), name + ".fold", "mean, sum, min, max or last");
  return {toText(object.Get("name"), name + ".name"), toBoolean(object.Get("isPerAgent"), name + ".isPerAgent"),
          static_cast<MetricFold>(found - kFolds.begin())};
}

RawProgram toProgram(const Napi::Value& value, const std::string& name) {
  const Napi::Object object = toObject(value, name);
  RawProgram raw;
  raw.code = toNumbers<std::int32_t>(object.Get("code"), name + ".code");
  const Napi::Object sections = toObject(object.Get("sections"), name + ".sections");
  for (std::size_t s = 0; s < kNumSections; ++s) {
    const std::string field = name + ".sections." + kSectionNames[s];
    raw.numInstructions[s] = toInteger(sections.Get(kSectionNames[s]), field, -kMaxSafe, kMaxSafe);
  }
  raw.numRegisters = toInteger(object.Get("numRegisters"), name + ".numRegisters", -kMaxSafe, kMaxSafe);
  raw.constants = toNumbers<double>(object.Get("constants"), name + ".constants");
  raw.declarations = toList<Declaration>(object.Get("declarations"), name + ".declarations", toDeclaration);
  raw.components = toList<ShapingComponent>(object.Get("components"), name + ".components", toComponent);
  raw.metrics = toList<ProgramMetric>(object.Get("metrics"), name + ".metrics", toMetric);
  raw.memory = toNumbers<double>(object.Get("memory"), name + ".memory");
  raw.memoryKeys = toNumbers<std::uint32_t>(object.Get("memoryKeys"), name + ".memoryKeys");
  raw.eventKeys = toNumbers<std::uint32_t>(object.Get("eventKeys"), name + ".eventKeys");
  raw.numRegimes = toArray(object.Get("regimes"), name + ".regimes").Length();
  raw.regimeWord = toInteger(object.Get("regimeWord"), name + ".regimeWord", -kMaxSafe, kMaxSafe);
  return raw;
}

JointLimit toJointLimit(const Napi::Value& value, const std::string& name, const Program& program) {
  const Napi::Object object = toObject(value, name);
  JointLimit joint;
  joint.limit = toNumber(object.Get("limit"), name + ".limit");
  if (joint.limit < 0) throw rangeError(value.Env(), name + ".limit", "at least 0");
  const auto last = static_cast<std::int64_t>(program.components.size()) - 1;
  std::vector<bool> isKnown(program.components.size(), false);
  const auto toMember = [&](const Napi::Value& item, const std::string& itemName) {
    const auto index = static_cast<std::size_t>(toInteger(item, itemName, 0, last));
    if (program.components[index].isPotential)
      throw rangeError(value.Env(), itemName, "no potential: those are not bounded together");
    if (isKnown[index]) throw rangeError(value.Env(), itemName, "named once");
    isKnown[index] = true;
    return static_cast<int>(index);
  };
  joint.components = toList<int>(object.Get("components"), name + ".components", toMember);
  return joint;
}

void readShaping(const Napi::Value& value, const std::string& name, CheckedSpec& spec) {
  const Napi::Object object = toObject(value, name);
  spec.shapingWeights = toShapingWeights(object.Get("weights"), name + ".weights", spec.program);
  const Napi::Value joint = object.Get("joint");
  if (!joint.IsNull()) spec.jointLimit = toJointLimit(joint, name + ".joint", spec.program);
}

Failure unknownPolicy(const std::string& group, const std::string& policy, const std::vector<std::string>& known) {
  std::string list;
  for (const std::string& name : known) list += name + ", ";
  return {"input.invalid",
          "group " + group + " has no scripted policy \"" + policy + "\"; known are " + list + "and npc"};
}

/// Name under which the program's behaviours play a group.
constexpr const char* kNpc = "npc";

void checkNpc(Napi::Env env, const Group& group, const Program& program) {
  for (std::size_t i = 0; i < group.agents.size(); ++i) {
    const std::size_t agent = static_cast<std::size_t>(group.firstAgent) + i;
    if (agent < program.hasBehaviour.size() && program.hasBehaviour[agent]) continue;
    throw failureError(env, {"input.invalid", "group " + group.name + " is to be played by npc declarations, but " +
                                                  group.agents[i] + " has none"});
  }
}

void applyScripted(Napi::Env env, const Manifest& manifest, const Program& program, const std::string& group,
                   const std::string& policy, std::vector<int>& scripted) {
  for (std::size_t g = 0; g < manifest.groups.size(); ++g) {
    if (manifest.groups[g].name != group) continue;
    if (policy == kNpc) {
      checkNpc(env, manifest.groups[g], program);
      scripted[g] = kPlayedByNpc;
      return;
    }
    const auto& known = manifest.groups[g].scripted;
    const auto found = std::find(known.begin(), known.end(), policy);
    if (found == known.end()) throw failureError(env, unknownPolicy(group, policy, known));
    scripted[g] = static_cast<int>(found - known.begin());
    return;
  }
  throw failureError(env,
                     {"input.invalid", "scenario " + manifest.name + " has no group \"" + group + "\" to be scripted"});
}

std::vector<std::array<double, 2>> toPositions(const Napi::Value& value, const std::string& name) {
  const Napi::Array rows = toArray(value, name);
  std::vector<std::array<double, 2>> positions;
  for (std::uint32_t i = 0; i < rows.Length(); ++i) {
    const Napi::Array row = toArray(rows.Get(i), item(name, i));
    if (row.Length() != 2) throw rangeError(value.Env(), item(name, i), "of length 2");
    positions.push_back({toNumber(row.Get(0u), item(item(name, i), 0)), toNumber(row.Get(1u), item(item(name, i), 1))});
  }
  return positions;
}

}  // namespace

Settings toSettings(const Napi::Value& value, const std::string& name) {
  const Napi::Object object = toObject(value, name);
  const Napi::Array keys = object.GetPropertyNames();
  Settings settings;
  for (std::uint32_t i = 0; i < keys.Length(); ++i) {
    const std::string key = toText(keys.Get(i), name + " key");
    settings.emplace_back(key, toNumber(object.Get(key), name + "." + key));
  }
  return settings;
}

int toNumEnvs(const Napi::Value& value, const std::string& name) {
  constexpr std::int64_t kMaxEnvs = 1 << 20;
  return static_cast<int>(toInteger(value, name, 1, kMaxEnvs));
}

void readDiscounting(const Napi::Object& options, VecEnvConfig& config) {
  config.gamma = toNumber(options.Get("gamma"), "options.gamma");
  if (!(config.gamma >= 0 && config.gamma <= 1)) throw rangeError(options.Env(), "options.gamma", "in 0..1");
  config.truncationEnds = toBoolean(options.Get("truncationEnds"), "options.truncationEnds");
}

double toTrainingSteps(const Napi::Value& value, const std::string& name) {
  return static_cast<double>(toInteger(value, name, 0, kMaxSafe));
}

std::vector<double> toShapingWeights(const Napi::Value& value, const std::string& name, const Program& program) {
  const auto given = toTypedArray<double>(value, name, program.components.size());
  std::vector<double> weights(given.Data(), given.Data() + given.ElementLength());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!std::isfinite(weights[i])) throw rangeError(value.Env(), name + "[" + std::to_string(i) + "]", "finite");
  }
  return weights;
}

std::shared_ptr<const Scenario> toScenario(Napi::Env env, const std::string& scenario, const Settings& settings) {
  auto made = makeScenario(scenario, settings);
  if (!made) throw failureError(env, made.failure());
  return made.value();
}

CheckedSpec toSpec(const Napi::Value& value, const std::string& name) {
  const Napi::Env env = value.Env();
  const Napi::Object object = toObject(value, name);
  CheckedSpec spec;
  spec.scenario = toScenario(env, toText(object.Get("scenario"), name + ".scenario"),
                             toSettings(object.Get("parameters"), name + ".parameters"));
  const Manifest& manifest = spec.scenario->manifest();
  const Napi::Value program = object.Get("program");
  if (!program.IsNull()) {
    auto verified = verify(toProgram(program, name + ".program"), manifest);
    if (!verified) throw failureError(env, verified.failure());
    spec.program = verified.value();
  }
  spec.scripted.assign(manifest.groups.size(), kPlayedByCaller);
  const Napi::Object scripted = toObject(object.Get("scripted"), name + ".scripted");
  const Napi::Array groups = scripted.GetPropertyNames();
  for (std::uint32_t i = 0; i < groups.Length(); ++i) {
    const std::string group = toText(groups.Get(i), name + ".scripted key");
    applyScripted(env, manifest, spec.program, group, toText(scripted.Get(group), name + ".scripted." + group),
                  spec.scripted);
  }
  const Napi::Value shaping = object.Get("shaping");
  if (!shaping.IsUndefined()) readShaping(shaping, name + ".shaping", spec);
  return spec;
}

Placement toPlacement(const Napi::Value& value, const std::string& name) {
  const Napi::Object object = toObject(value, name);
  Placement placement{toPositions(object.Get("agents"), name + ".agents"),
                      toPositions(object.Get("landmarks"), name + ".landmarks")};
  const Napi::Object values = toObject(object.Get("values"), name + ".values");
  const Napi::Array keys = values.GetPropertyNames();
  for (std::uint32_t i = 0; i < keys.Length(); ++i) {
    const std::string key = toText(keys.Get(i), name + ".values key");
    placement.values.emplace_back(key, toList<double>(values.Get(key), name + ".values." + key, toNumber));
  }
  return placement;
}

std::vector<std::vector<std::int32_t>> toActionRows(const Napi::Value& value, const std::string& name) {
  const Napi::Array rows = toArray(value, name);
  std::vector<std::vector<std::int32_t>> actions(rows.Length());
  for (std::uint32_t t = 0; t < rows.Length(); ++t) {
    const Napi::Array row = toArray(rows.Get(t), item(name, t));
    for (std::uint32_t a = 0; a < row.Length(); ++a) {
      actions[t].push_back(
          static_cast<std::int32_t>(toInteger(row.Get(a), item(item(name, t), a), -(1 << 30), 1 << 30)));
    }
  }
  return actions;
}

}  // namespace gymwright::addon
