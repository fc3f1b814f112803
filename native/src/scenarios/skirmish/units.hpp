#pragma once

#include <array>

/// What units there are, and which of them meet on which map.
namespace gymwright::skirmish {

/// What a unit of one type is born with. Distances are between centres.
struct UnitType {
  const char* name;
  double health;
  double damage;
  double cooldown;  ///< s from shot to shot
  double range;     ///< m
  double sight;     ///< m
  double speed;     ///< m/s
  double radius;    ///< m
};

/// Types by index; the first six are those of SMAX 0.2.0, the others extensions that no compatible map has.
enum TypeId { kMarine, kMarauder, kStalker, kZealot, kZergling, kHydralisk, kNumPlainTypes, kInfiltrator = 6, kMortar };
inline constexpr int kNumTypes = 8;
inline constexpr std::array<UnitType, kNumTypes> kUnitTypes = {{
    {"marine", 45, 9, 0.61, 5, 9, 3.15, 0.375},
    {"marauder", 125, 10, 1.07, 6, 10, 2.25, 0.5625},
    {"stalker", 160, 13, 1.87, 6, 10, 4.13, 0.625},
    {"zealot", 150, 8, 0.86, 2, 9, 3.15, 0.5},
    {"zergling", 35, 5, 0.50, 2, 8, 4.13, 0.375},
    {"hydralisk", 80, 12, 0.59, 5, 9, 3.15, 0.625},
    {"infiltrator", 70, 16, 1.0, 3, 9, 4.0, 0.4},
    {"mortar", 90, 14, 1.8, 7, 10, 2.0, 0.6},
}};

/// `count` units of a type, as a map lists them.
struct Squad {
  int count;
  TypeId type;
};

/// Who meets on a map. Where types are drawn, the squads only say how many.
struct BattleMap {
  const char* name;
  std::array<Squad, 2> allies;
  std::array<Squad, 2> enemies;
  int smacLimit;  ///< steps of an episode in SMAC
  bool isDrawn;   ///< SMACv2: types and positions are drawn for each episode
};

inline constexpr std::array<BattleMap, 19> kMaps = {{
    {"3m", {{{3, kMarine}}}, {{{3, kMarine}}}, 60, false},
    {"8m", {{{8, kMarine}}}, {{{8, kMarine}}}, 120, false},
    {"25m", {{{25, kMarine}}}, {{{25, kMarine}}}, 150, false},
    {"2s3z", {{{2, kStalker}, {3, kZealot}}}, {{{2, kStalker}, {3, kZealot}}}, 120, false},
    {"3s5z", {{{3, kStalker}, {5, kZealot}}}, {{{3, kStalker}, {5, kZealot}}}, 150, false},
    {"5m_vs_6m", {{{5, kMarine}}}, {{{6, kMarine}}}, 70, false},
    {"10m_vs_11m", {{{10, kMarine}}}, {{{11, kMarine}}}, 150, false},
    {"27m_vs_30m", {{{27, kMarine}}}, {{{30, kMarine}}}, 180, false},
    {"3s5z_vs_3s6z", {{{3, kStalker}, {5, kZealot}}}, {{{3, kStalker}, {6, kZealot}}}, 170, false},
    {"3s_vs_5z", {{{3, kStalker}}}, {{{5, kZealot}}}, 250, false},
    {"6h_vs_8z", {{{6, kHydralisk}}}, {{{8, kZealot}}}, 150, false},
    {"smacv2_5", {{{5, kMarine}}}, {{{5, kMarine}}}, 200, true},
    {"smacv2_10", {{{10, kMarine}}}, {{{10, kMarine}}}, 200, true},
    {"smacv2_20", {{{20, kMarine}}}, {{{20, kMarine}}}, 200, true},
    {"8m_vs_9m", {{{8, kMarine}}}, {{{9, kMarine}}}, 120, false},
    {"3s_vs_3z", {{{3, kStalker}}}, {{{3, kZealot}}}, 150, false},
    {"3s_vs_4z", {{{3, kStalker}}}, {{{4, kZealot}}}, 200, false},
    {"2m_vs_1z", {{{2, kMarine}}}, {{{1, kZealot}}}, 150, false},
    {"corridor", {{{6, kZealot}}}, {{{24, kZergling}}}, 400, false},
}};

}  // namespace gymwright::skirmish
