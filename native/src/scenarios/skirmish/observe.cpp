#include <algorithm>

#include "scenarios/skirmish/rules.hpp"

namespace gymwright::skirmish {
namespace {

/// Columns in which another unit is observed; type bits follow.
enum Card { kCardShare, kCardX, kCardY, kCardHeadingX, kCardHeadingY, kCardOrder, kCardCooldown, kCardBits };

std::size_t at(int i) { return static_cast<std::size_t>(i); }

double cooldownShare(const double* unit) { return std::clamp(unit[kCooldown] / unit[kReload], 0.0, 1.0); }

/// What every observer sees alike of each unit, made once for all of them. The width of a card is known to the
/// compiler, since copying cards is most of the work.
template <typename T, int kTypeBits>
class Gallery {
 public:
  Gallery(const Layout& layout, const double* state) : layout_(layout) {
    for (int u = 0; u < layout.numUnits; ++u) {
      const double* unit = layout.unit(state, u);
      isAlive_[at(u)] = unit[kAlive] != 0.0;
      xs_[at(u)] = unit[kX];
      ys_[at(u)] = unit[kY];
      sights_[at(u)] = unit[kSight];
      isCloaked_[at(u)] = layout.isCloaked(unit);
      if (isAlive_[at(u)]) draw(unit, u);
    }
  }

  void writeRow(const double* unit, int u, T* out) const {
    if (!isAlive_[at(u)]) {
      std::fill_n(out, layout_.obsDim(), T{0});
      return;
    }
    const int team = layout_.team(u);
    // The enemies go through everybody backwards.
    if (team == kAlly) {
      for (int other = 0; other < layout_.numUnits; ++other) {
        if (other != u) out = writeCard(u, other, other >= layout_.size(kAlly), out);
      }
    } else {
      for (int other = layout_.numUnits - 1; other >= 0; --other) {
        if (other != u) out = writeCard(u, other, other < layout_.size(kAlly), out);
      }
    }
    *out++ = cards_[at(u)][kCardShare];
    *out++ = static_cast<T>(unit[kX] / kSide);
    *out++ = static_cast<T>(unit[kY] / kSide);
    *out++ = cards_[at(u)][kCardCooldown];
    std::copy_n(cards_[at(u)].data() + kCardBits, kTypeBits, out);
  }

 private:
  void draw(const double* unit, int u) {
    std::array<T, kWidth>& card = cards_[at(u)];
    card.fill(T{0});
    card[kCardShare] = static_cast<T>(unit[kShare]);
    card[kCardHeadingX] = static_cast<T>(unit[kHeadingX]);
    card[kCardHeadingY] = static_cast<T>(unit[kHeadingY]);
    card[kCardOrder] = static_cast<T>(unit[kOrder] / (layout_.numActions(layout_.team(u)) - 1));
    card[kCardCooldown] = static_cast<T>(cooldownShare(unit));
    card[at(kCardBits + static_cast<int>(unit[kType]))] = T{1};
  }

  T* writeCard(int u, int other, bool isFoe, T* out) const {
    const double dx = xs_[at(other)] - xs_[at(u)];
    const double dy = ys_[at(other)] - ys_[at(u)];
    double sight = sights_[at(u)];
    if (isFoe && isCloaked_[at(other)]) sight = std::min(sight, layout_.config.seenWithin);
    if (!isAlive_[at(other)] || dx * dx + dy * dy >= sight * sight) return std::fill_n(out, kWidth, T{0});
    std::copy_n(cards_[at(other)].data(), kWidth, out);
    out[kCardX] = static_cast<T>(dx / sights_[at(u)]);
    out[kCardY] = static_cast<T>(dy / sights_[at(u)]);
    if (isFoe && !layout_.config.seesEnemyActions)
      out[kCardHeadingX] = out[kCardHeadingY] = out[kCardOrder] = T{0};
    return out + kWidth;
  }

  static constexpr int kWidth = kCardBits + kTypeBits;

  const Layout& layout_;
  std::array<std::array<T, kWidth>, kMaxUnits> cards_;
  std::array<double, kMaxUnits> xs_, ys_, sights_;
  std::array<bool, kMaxUnits> isAlive_, isCloaked_;
};

template <int kTypeBits, typename T>
void writeRows(const Layout& layout, const double* state, T* obs) {
  const Gallery<T, kTypeBits> gallery(layout, state);
  for (int u = 0; u < layout.numUnits; ++u, obs += layout.obsDim()) gallery.writeRow(layout.unit(state, u), u, obs);
}

}  // namespace

template <typename T>
void writeObsAs(const Layout& layout, const double* state, T* obs) {
  layout.config.hasSpecials ? writeRows<kNumTypes>(layout, state, obs) : writeRows<kNumPlainTypes>(layout, state, obs);
}

template void writeObsAs(const Layout& layout, const double* state, float* obs);
template void writeObsAs(const Layout& layout, const double* state, double* obs);

/// As SMAX has it: places and cooldowns as they are, types as numbers.
void writeGlobalState(const Layout& layout, const double* state, float* out) {
  const int width = 4 + layout.numTypeBits;
  float* teams = out + width * layout.numUnits;
  float* types = teams + layout.numUnits;
  for (int u = 0; u < layout.numUnits; ++u, out += width) {
    const double* unit = layout.unit(state, u);
    teams[u] = static_cast<float>(layout.team(u));
    types[u] = static_cast<float>(unit[kType]);
    std::fill_n(out, width, 0.0f);
    if (unit[kAlive] == 0.0) continue;
    out[0] = static_cast<float>(unit[kShare]);
    out[1] = static_cast<float>(unit[kX]);
    out[2] = static_cast<float>(unit[kY]);
    out[3] = static_cast<float>(unit[kCooldown]);
    out[4 + static_cast<int>(unit[kType])] = 1.0f;
  }
}

void writeMasks(const Layout& layout, const double* state, std::uint8_t* out) {
  const int width = std::max(layout.numActions(kAlly), layout.numActions(kEnemy));
  for (int u = 0; u < layout.numUnits; ++u, out += width) {
    const double* self = layout.unit(state, u);
    const int team = layout.team(u);
    const bool isAlive = self[kAlive] != 0.0;
    const int numFoes = layout.size(Layout::other(team));
    std::fill_n(out, kFirstAttack, std::uint8_t{isAlive});
    out[kStop] = 1;
    for (int k = 0; k < numFoes; ++k)
      out[kFirstAttack + k] = isAlive && layout.canAttack(self, layout.unit(state, layout.foe(team, k))) ? 1 : 0;
    std::fill(out + kFirstAttack + numFoes, out + width, std::uint8_t{0});
  }
}

}  // namespace gymwright::skirmish
