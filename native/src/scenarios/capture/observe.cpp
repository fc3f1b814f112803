#include <algorithm>

#include "scenarios/capture/rules.hpp"

namespace gymwright::capture {
namespace {

constexpr int kSelfNumbers = 10;
constexpr int kPointNumbers = 4;
constexpr int kUnitNumbers = 4;
constexpr int kPlaceNumbers = 3;
constexpr int kLockNumbers = 5;

/// Writes numbers one after the other, places as shares of the field's longer side.
template <typename T>
class ObsWriter {
 public:
  ObsWriter(const Layout& layout, const double* state, int u, T* out)
      : layout_(layout), state_(state), self_(layout.unit(state, u)), team_(layout.team(u)), u_(u), out_(out) {
    const bool isSupport = layout.role(u) == kSupport;
    hidesEnemies_ = layout.config.isInformationSplit && isSupport;
    hidesGround_ = layout.config.isInformationSplit && !isSupport;
  }

  void writeSelf() {
    const Config& config = layout_.config;
    put(self_[kAlive]);
    put(self_[kAlive] * (2.0 * self_[kX] / config.width - 1.0));
    put(self_[kAlive] * (2.0 * self_[kY] / config.height - 1.0));
    put(self_[kShare]);
    put(self_[kTimerShare]);
    put(layout_.role(u_));
    put(self_[kInPoint]);
    put(self_[kInBase]);
    put(1.0 - state_[kClock] * layout_.perStep);
    const double lead = state_[kScores + team_] - state_[kScores + Layout::other(team_)];
    put(hidesGround_ ? 0.0 : lead * layout_.perScore);
  }

  void writePoint(int p) {
    const double* point = layout_.place(state_, p);
    putOffset(point);
    put(hidesGround_ ? 0.0 : signOf(point[kOwner]));
    put(hidesGround_ ? 0.0 : signOf(point[kTaker]) * point[kTaken]);
    if (layout_.config.numLocks > 0) put(hidesGround_ || Layout::isOpenTo(point, team_) ? 0.0 : 1.0);
  }

  void writeUnits(int team) {
    const bool isHidden = hidesEnemies_ && team != team_;
    for (int other = layout_.first(team); other < layout_.end(team); ++other) {
      if (other == u_) continue;
      if (isHidden || !layout_.seesUnit(state_, u_, other)) {
        skip(kUnitNumbers);
        continue;
      }
      const double* unit = layout_.unit(state_, other);
      put(1.0);
      putOffset(unit);
      put(unit[kShare]);
    }
  }

  void writePlace(int p, bool isHidden) {
    const double* place = layout_.place(state_, p);
    if (isHidden || place[kActive] == 0.0 || !layout_.sees(state_, u_, place)) return skip(kPlaceNumbers);
    put(1.0);
    putOffset(place);
  }

  void writeLock(int p) {
    const double* lock = layout_.place(state_, p);
    putOffset(lock);
    if (hidesGround_) return skip(kLockNumbers - 2);
    put(Layout::isOpenTo(lock, team_) ? 1.0 : 0.0);
    for (int role = 0; role < kNumRoles; ++role) {
      put(stoodLately(layout_, state_, lock[kStood + team_ * kNumRoles + role]) ? 1.0 : 0.0);
    }
  }

  void writeAll() {
    const Config& config = layout_.config;
    writeSelf();
    for (int i = 0; i < config.numPoints; ++i) writePoint(layout_.point(i));
    writeUnits(team_);
    writeUnits(Layout::other(team_));
    for (int i = 0; i < config.numSupplies; ++i) writePlace(layout_.supply(i), hidesGround_);
    for (int i = 0; i < config.numObstacles; ++i) writePlace(layout_.obstacle(i), false);
    for (int i = 0; i < config.numLocks; ++i) writeLock(layout_.lock(i));
  }

  void skip(int count) { out_ = std::fill_n(out_, count, T{0}); }
  T* end() const { return out_; }

 private:
  void put(double x) { *out_++ = static_cast<T>(x); }
  void putOffset(const double* spot) {
    put((spot[0] - self_[kX]) * layout_.perSide);
    put((spot[1] - self_[kY]) * layout_.perSide);
  }
  double signOf(double team) const { return team < 0.0 ? 0.0 : (team == team_ ? 1.0 : -1.0); }

  const Layout& layout_;
  const double* state_;
  const double* self_;
  int team_;
  int u_;
  T* out_;
  bool hidesEnemies_;
  bool hidesGround_;
};

}  // namespace

int Layout::obsDim() const {
  const int point = kPointNumbers + (config.numLocks > 0 ? 1 : 0);
  return kSelfNumbers + point * config.numPoints + kUnitNumbers * (numUnits - 1) +
         kPlaceNumbers * (config.numSupplies + config.numObstacles) + kLockNumbers * config.numLocks;
}

template <typename T>
void writeObsAs(const Layout& layout, const double* state, T* obs) {
  const int width = layout.obsDim();
  for (int u = 0; u < layout.numUnits; ++u, obs += width) {
    const double* unit = layout.unit(state, u);
    if (unit[kPresent] == 0.0) {
      std::fill_n(obs, width, T{0});
      continue;
    }
    ObsWriter<T> writer(layout, state, u, obs);
    if (unit[kAlive] != 0.0) {
      writer.writeAll();
    } else {
      writer.writeSelf();
      writer.skip(width - kSelfNumbers);
    }
  }
}

template void writeObsAs(const Layout& layout, const double* state, float* obs);
template void writeObsAs(const Layout& layout, const double* state, double* obs);

int Layout::stateDim() const {
  return 3 + 5 * config.numPoints + 5 * numUnits + 3 * (config.numSupplies + config.numObstacles) + 4 * config.numLocks;
}

void writeGlobalState(const Layout& layout, const double* state, float* out) {
  const Config& config = layout.config;
  const auto put = [&out](double x) { *out++ = static_cast<float>(x); };
  const auto putPlace = [&](const double* spot, double weight) {
    put(weight * (2.0 * spot[0] / config.width - 1.0));
    put(weight * (2.0 * spot[1] / config.height - 1.0));
  };
  const auto sign = [](double team) { return team < 0.0 ? 0.0 : (team == kRed ? 1.0 : -1.0); };
  put(1.0 - state[kClock] * layout.perStep);
  for (int team = 0; team < kNumTeams; ++team) put(state[kScores + team] * layout.perScore);
  for (int i = 0; i < config.numPoints; ++i) {
    const double* point = layout.place(state, layout.point(i));
    putPlace(point, 1.0);
    put(sign(point[kOwner]));
    put(sign(point[kTaker]) * point[kTaken]);
    put(point[kOpenTo] / ((1 << kNumTeams) - 1));
  }
  for (int u = 0; u < layout.numUnits; ++u) {
    const double* unit = layout.unit(state, u);
    put(unit[kAlive]);
    putPlace(unit, unit[kAlive]);
    put(unit[kShare]);
    put(unit[kTimerShare]);
  }
  for (int p = layout.supply(0); p < layout.lock(0); ++p) {
    const double* place = layout.place(state, p);
    put(place[kActive]);
    putPlace(place, place[kActive]);
  }
  for (int i = 0; i < config.numLocks; ++i) {
    const double* lock = layout.place(state, layout.lock(i));
    putPlace(lock, 1.0);
    for (int team = 0; team < kNumTeams; ++team) put(Layout::isOpenTo(lock, team) ? 1.0 : 0.0);
  }
}

}  // namespace gymwright::capture
