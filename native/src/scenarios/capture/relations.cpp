#include "scenarios/capture/rules.hpp"

namespace gymwright::capture {

double relate(const Layout& layout, int id, int from, int to, const double* state, const double* attributes) {
  const double* self = layout.unit(state, from);
  const int team = layout.team(from);
  const double* place = to >= layout.numUnits ? layout.place(state, to - layout.numUnits) : nullptr;
  bool holds = false;
  switch (id) {
    case kSees:
      holds = self[kAlive] != 0.0 && from != to &&
              (place == nullptr ? layout.seesUnit(state, from, to)
                                : place[kActive] != 0.0 && layout.sees(state, from, place));
      break;
    case kHits: holds = self[kHit] == to; break;
    case kHeals: holds = self[kMended] == to; break;
    case kThreatens: {
      const double range = layout.of(attributes, kRange, from);
      holds = self[kAlive] != 0.0 && team != layout.team(to) && layout.seesUnit(state, from, to) &&
              squareBetween(self, layout.unit(state, to)) <= range * range;
      break;
    }
    case kOwns: holds = place[kOwner] == team; break;
    default: holds = Layout::isOpenTo(place, team) && place[kOwner] != team; break;
  }
  return holds ? 1.0 : 0.0;
}

}  // namespace gymwright::capture
