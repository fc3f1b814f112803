#include "gymwright/scenario.hpp"

#include <algorithm>

namespace gymwright {

void Scenario::writeState(const float* obs, float* out) const {
  for (const Group& group : manifest_.groups) {
    const float* rows = obs + group.firstAgent * manifest_.obsDim;
    const int count = static_cast<int>(group.agents.size());
    if (group.obsDim == manifest_.obsDim) {
      out = std::copy_n(rows, count * group.obsDim, out);
      continue;
    }
    for (int i = 0; i < count; ++i) out = std::copy_n(rows + i * manifest_.obsDim, group.obsDim, out);
  }
}

void Scenario::writeAvailActions(const double* /*state*/, std::uint8_t* out) const {
  for (const Group& group : manifest_.groups) {
    for (std::size_t i = 0; i < group.agents.size(); ++i) {
      out = std::fill_n(out, group.numActions, std::uint8_t{1});
      out = std::fill_n(out, manifest_.numActions - group.numActions, std::uint8_t{0});
    }
  }
}

}  // namespace gymwright
