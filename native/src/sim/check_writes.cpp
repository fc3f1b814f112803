#include "sim/check_writes.hpp"

#include <cstring>
#include <vector>

namespace gymwright {
namespace {

using Problem = std::optional<std::string>;

constexpr unsigned char kUntouched = 0xA5;
constexpr std::size_t kLeastRoom = 4096;

/// An array to fill with as much room again behind it, all of it marked as untouched.
template <typename T>
class Guarded {
 public:
  explicit Guarded(std::size_t size) : size_(size), words_(2 * size + kLeastRoom) {
    std::memset(words_.data(), kUntouched, words_.size() * sizeof(T));
  }
  T* data() { return words_.data(); }

  Problem check(const std::string& function, const std::string& shape) const {
    const std::string size = std::to_string(size_);
    for (std::size_t i = size_; i < words_.size(); ++i) {
      if (isTouched(i)) return function + " writes past the end of its " + size + " words (" + shape + ")";
    }
    for (std::size_t i = 0; i < size_; ++i) {
      if (!isTouched(i))
        return function + " leaves word " + std::to_string(i) + " of " + size + " (" + shape + ") unwritten";
    }
    return std::nullopt;
  }

 private:
  bool isTouched(std::size_t i) const {
    T untouched;
    std::memset(&untouched, kUntouched, sizeof(T));
    return std::memcmp(&words_[i], &untouched, sizeof(T)) != 0;
  }

  std::size_t size_;
  std::vector<T> words_;
};

std::size_t product(int a, std::size_t b) { return static_cast<std::size_t>(a) * b; }

}  // namespace

std::optional<std::string> checkWrites(const Scenario& scenario) {
  const Manifest& m = scenario.manifest();
  Guarded<double> state(static_cast<std::size_t>(scenario.stateWords()));
  scenario.reset(state.data(), EpisodeRng(1, 0));
  if (auto problem = state.check("reset", "stateWords_")) return problem;

  const std::size_t obsWords = product(m.numAgents, static_cast<std::size_t>(m.obsDim));
  Guarded<float> obs(obsWords);
  scenario.writeObs(state.data(), obs.data());
  if (auto problem = obs.check("writeObs", "numAgents x obsDim")) return problem;
  Guarded<double> wideObs(obsWords);
  scenario.writeObs(state.data(), wideObs.data());
  if (auto problem = wideObs.check("writeObs of f64", "numAgents x obsDim")) return problem;
  Guarded<float> whole(static_cast<std::size_t>(m.stateDim));
  scenario.writeState(state.data(), obs.data(), whole.data());
  if (auto problem = whole.check("writeState", "stateDim")) return problem;
  Guarded<std::uint8_t> masks(product(m.numAgents, static_cast<std::size_t>(m.numActions)));
  scenario.writeAvailActions(state.data(), masks.data());
  if (auto problem = masks.check("writeAvailActions", "numAgents x numActions")) return problem;

  Guarded<std::uint8_t> active(product(m.numAgents, 1));
  scenario.writeActive(state.data(), active.data());
  if (auto problem = active.check("writeActive", "numAgents")) return problem;

  const auto controlWords = static_cast<std::size_t>(scenario.controlWords());
  Guarded<double> controls(product(m.numAgents, controlWords));
  for (int a = 0; a < m.numAgents; ++a)
    scenario.decodeDiscrete(a, 0, controls.data() + static_cast<std::size_t>(a) * controlWords);
  if (auto problem = controls.check("decodeDiscrete", std::to_string(controlWords) + " for each agent")) return problem;
  Guarded<double> components(product(m.numAgents, m.components.size()));
  scenario.advance(state.data(), scenario.baseAttributes().data(), controls.data(), components.data());
  if (auto problem = components.check("advance", "numAgents x components")) return problem;
  if (auto problem = state.check("advance", "stateWords_")) return problem;
  Guarded<double> metrics(product(m.numAgents, m.metrics.size()));
  scenario.writeMetrics(state.data(), 1, metrics.data());
  return metrics.check("writeMetrics", "numAgents x metrics");
}

}  // namespace gymwright
