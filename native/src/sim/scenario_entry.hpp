#pragma once

#include "gymwright/scenario_entry.hpp"

namespace gymwright {

/// `make` of an entry: a scenario of a class that is constructed from parameters alone.
template <typename Made>
std::shared_ptr<const Scenario> makeShared(const ParameterValues& values) {
  return std::make_shared<Made>(values);
}

/// The built-in scenarios: each one's source file ends with its entry.
extern const ScenarioEntry kCapture;
extern const ScenarioEntry kForaging;
extern const ScenarioEntry kSimple;
extern const ScenarioEntry kSimpleAdversary;
extern const ScenarioEntry kSimpleCrypto;
extern const ScenarioEntry kSimplePush;
extern const ScenarioEntry kSimpleReference;
extern const ScenarioEntry kSimpleSpeakerListener;
extern const ScenarioEntry kSimpleSpread;
extern const ScenarioEntry kSimpleTag;
extern const ScenarioEntry kSimpleWorldComm;
extern const ScenarioEntry kSkirmish;

}  // namespace gymwright
