#include "gymwright/scenario.hpp"

#include <algorithm>

namespace gymwright {

void Scenario::writeState(const float* obs, float* out) const {
  for (const Group& group : manifest_.groups) {
    for (std::size_t i = 0; i < group.agents.size(); ++i) {
      const float* row = obs + (group.firstAgent + static_cast<int>(i)) * manifest_.obsDim;
      out = std::copy_n(row, group.obsDim, out);
    }
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
