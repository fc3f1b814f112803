#include <algorithm>

#include "scenarios/skirmish/rules.hpp"

namespace gymwright::skirmish {
namespace {

using Numbers = std::array<double, kMaxUnits>;
/// Keeps the quotient finite where centres coincide.
constexpr double kLeastDistance = 1e-6;

}  // namespace

void pushApart(int count, double* xs, double* ys, const double* radii) {
  Numbers pushX;
  Numbers pushY;
  std::fill_n(pushX.begin(), count, 0.0);
  std::fill_n(pushY.begin(), count, 0.0);
  for (int i = 0; i < count; ++i) {
    const auto a = static_cast<std::size_t>(i);
    for (int j = i + 1; j < count; ++j) {
      const double reach = radii[i] + radii[j];
      const double dx = xs[i] - xs[j];
      if (std::fabs(dx) >= reach) continue;
      const double dy = ys[i] - ys[j];
      const double square = dx * dx + dy * dy;
      if (square >= reach * reach) continue;
      const double weight = std::max(0.0, reach / (std::sqrt(square) + kLeastDistance) - 1.0);
      const auto b = static_cast<std::size_t>(j);
      pushX[a] += dx * weight;
      pushY[a] += dy * weight;
      pushX[b] -= dx * weight;
      pushY[b] -= dy * weight;
    }
  }
  for (int i = 0; i < count; ++i) {
    xs[i] += 0.5 * pushX[static_cast<std::size_t>(i)];
    ys[i] += 0.5 * pushY[static_cast<std::size_t>(i)];
  }
}

void separate(const Layout& layout, double* state) {
  Numbers xs{}, ys{}, radii{};
  std::array<int, kMaxUnits> units;
  int count = 0;
  for (int u = 0; u < layout.numUnits; ++u) {
    const double* unit = layout.unit(state, u);
    if (unit[kAlive] == 0.0) continue;
    const auto i = static_cast<std::size_t>(count);
    units[i] = u;
    xs[i] = unit[kX];
    ys[i] = unit[kY];
    radii[i] = layout.type(unit).radius;
    ++count;
  }
  pushApart(count, xs.data(), ys.data(), radii.data());
  for (int i = 0; i < count; ++i) {
    double* unit = layout.unit(state, units[static_cast<std::size_t>(i)]);
    unit[kX] = unit[kHomeX] = xs[static_cast<std::size_t>(i)];
    unit[kY] = unit[kHomeY] = ys[static_cast<std::size_t>(i)];
  }
}

}  // namespace gymwright::skirmish
