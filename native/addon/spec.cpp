#include "spec.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "arguments.hpp"

namespace gymwright::addon {
namespace {

constexpr std::int64_t kMaxSafe = (std::int64_t{1} << 53) - 1;

std::string item(const std::string& name, std::uint32_t index) { return name + "[" + std::to_string(index) + "]"; }

ShapingComponent toComponent(const Napi::Value& value, const std::string& name) {
  const Napi::Object object = toObject(value, name);
  const Napi::Value limit = object.Get("episodeLimit");
  if (!limit.IsNumber()) throw typeError(value.Env(), name + ".episodeLimit", "a number");
  // Infinity means no limit; the verifier refuses the rest.
  return {toText(object.Get("name"), name + ".name"), toNumber(object.Get("halfLifeSteps"), name + ".halfLifeSteps"),
          limit.As<Napi::Number>().DoubleValue()};
}

RawProgram toProgram(const Napi::Value& value, const std::string& name) {
  const Napi::Object object = toObject(value, name);
  RawProgram raw;
  const auto code = toTypedArray<std::int32_t>(object.Get("code"), name + ".code");
  raw.code.assign(code.Data(), code.Data() + code.ElementLength());
  raw.numRuleInstructions =
      toInteger(object.Get("numRuleInstructions"), name + ".numRuleInstructions", -kMaxSafe, kMaxSafe);
  raw.numRegisters = toInteger(object.Get("numRegisters"), name + ".numRegisters", -kMaxSafe, kMaxSafe);
  const auto constants = toTypedArray<double>(object.Get("constants"), name + ".constants");
  raw.constants.assign(constants.Data(), constants.Data() + constants.ElementLength());
  const Napi::Array declarations = toArray(object.Get("declarations"), name + ".declarations");
  for (std::uint32_t i = 0; i < declarations.Length(); ++i) {
    const Napi::Object declaration = toObject(declarations.Get(i), item(name + ".declarations", i));
    raw.declarations.push_back({toText(declaration.Get("name"), item(name + ".declarations", i) + ".name")});
  }
  const Napi::Array components = toArray(object.Get("components"), name + ".components");
  for (std::uint32_t i = 0; i < components.Length(); ++i) {
    raw.components.push_back(toComponent(components.Get(i), item(name + ".components", i)));
  }
  return raw;
}

Failure unknownPolicy(const std::string& group, const std::string& policy, const std::vector<std::string>& known) {
  std::string list;
  for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
  return {"input.invalid", "group " + group + " has no scripted policy \"" + policy + "\"; known are " + list};
}

void applyScripted(Napi::Env env, const Manifest& manifest, const std::string& group, const std::string& policy,
                   std::vector<int>& scripted) {
  for (std::size_t g = 0; g < manifest.groups.size(); ++g) {
    if (manifest.groups[g].name != group) continue;
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
  spec.scripted.assign(manifest.groups.size(), -1);
  const Napi::Object scripted = toObject(object.Get("scripted"), name + ".scripted");
  const Napi::Array groups = scripted.GetPropertyNames();
  for (std::uint32_t i = 0; i < groups.Length(); ++i) {
    const std::string group = toText(groups.Get(i), name + ".scripted key");
    applyScripted(env, manifest, group, toText(scripted.Get(group), name + ".scripted." + group), spec.scripted);
  }
  return spec;
}

Placement toPlacement(const Napi::Value& value, const std::string& name) {
  const Napi::Object object = toObject(value, name);
  Placement placement{toPositions(object.Get("agents"), name + ".agents"),
                      toPositions(object.Get("landmarks"), name + ".landmarks"), std::nullopt};
  const Napi::Value goal = object.Get("goal");
  if (!goal.IsNull()) placement.goal = static_cast<int>(toInteger(goal, name + ".goal", -1, 1 << 20));
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
