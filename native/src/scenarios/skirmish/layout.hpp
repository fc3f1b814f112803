#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gymwright/scenario.hpp"
#include "scenarios/skirmish/units.hpp"
#include "sim/manifest_parts.hpp"
#include "sim/numbers.hpp"

/// What a copy of `skirmish` is made of. skirmish.cpp tells the game, rules.hpp its phases.
namespace gymwright::skirmish {

inline constexpr double kSide = 32.0;  ///< m, of the square field
inline constexpr int kSubSteps = 8;
inline constexpr double kSubSeconds = 1.0 / 16.0;
inline constexpr double kStepSeconds = kSubSteps * kSubSeconds;
inline constexpr int kMaxPerTeam = 32;
inline constexpr int kMaxUnits = 2 * kMaxPerTeam;
inline constexpr double kSmacAttackRange = 6.0;

/// Teams are plain numbers, since they count places in arrays.
inline constexpr int kAlly = 0, kEnemy = 1, kNumTeams = 2;
inline constexpr std::array<const char*, kNumTeams> kTeamNames = {"ally", "enemy"};
enum Place { kAllyStart, kEnemyStart, kMiddle, kNumPlaces };

/// Actions before those that attack.
enum Action { kNorth, kEast, kSouth, kWest, kStop, kFirstAttack };
inline constexpr double kDirections[kFirstAttack][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {0, 0}};

/// Words of the match; those of the units follow, then x and y of the places.
enum MatchWord {
  kClock,
  kSeed,       ///< of what is drawn within steps
  kFoes,       ///< by team: number of its enemies at the start
  kFoeHealth = kFoes + kNumTeams,  ///< by team: their hit points at the start
  kMatchWords = kFoeHealth + kNumTeams
};

enum UnitWord {
  kX,
  kY,
  kVx,  ///< over the last step
  kVy,
  kHeadingX,  ///< of the last move order, a unit vector or zero
  kHeadingY,
  kHealth,
  kShare,  ///< health as a share of the full one
  kCooldown,  ///< s until the weapon can fire; it goes on falling below zero
  kPresent,   ///< 1 where the unit is in play, dead or alive
  kAlive,
  kType,
  kBorn,      ///< type that the map, or the draw of the episode, gives the slot
  kOrder,     ///< last action where it was an attack, else 0
  kTarget,    ///< unit that it attacked in the last step, -1 = none
  kSummoned,  ///< 1 where an event brought the unit in
  kHomeX,     ///< where it came into play
  kHomeY,
  kMaxHealth,  ///< this and the following: in force in the last step
  kDamage,
  kReload,
  kRange,
  kSight,
  kSpeed,
  kKills,
  kDeaths,
  kDealt,
  kLost,
  kLivingSteps,
  kRoleSteps,
  kShotSteps,
  kJointSteps,
  kCells,  ///< visited cells of the field (sim/visited_cells.hpp)
  kUnitWords
};

/// Columns of the attribute row, [A] each.
enum UnitColumn {
  kEnabled,
  kAssigned,  ///< 1 + type that the unit is made to be; 0: the one it was born with
  kTactics,
  kTemper,
  kHealthFactor,
  kDamageFactor,
  kDamageTaken,
  kCooldownFactor,
  kRangeFactor,
  kSightFactor,
  kSpeedFactor,
  kTeam,
  kUnitColumns
};

enum class SpawnRule { kMap, kLine, kSurround, kReflect, kEither };
enum class RewardScheme { kSmax, kSmac, kSparse };

/// Parameters as the rules of play use them.
struct Config {
  explicit Config(const ParameterValues& values);

  const BattleMap* map;
  int roster[kNumTeams];  ///< units that the map has
  int count[kNumTeams];   ///< units in play at the start
  int slots[kNumTeams];   ///< units laid out
  std::array<UnitType, kNumTypes> types;
  double seenWithin;  ///< m, of infiltrators
  double splash;      ///< m, of mortars
  bool hasSpecials;
  SpawnRule spawn;
  double spread;
  RewardScheme reward;
  bool isAttackSix, isWallLethal, seesEnemyActions;
  double cooldownNoise;
  int episodeLength;
};

/// How units start where "spawn.rule" leaves it to the map.
SpawnRule mapSpawn(const BattleMap& map);

/// Every parameter of the scenario.
std::vector<Parameter> parameters();
/// What is wrong with values that are each within bounds, if anything.
std::optional<Failure> checkParameters(const ParameterValues& values);

/// Where things are in a copy's state and attribute row. Units are numbered allies first; of each team first those of
/// the map, then its reserve.
class Layout {
 public:
  explicit Layout(const ParameterValues& values);

  Config config;
  int numUnits;
  int numTypeBits;
  std::vector<int> mapTypes;  ///< [A] type of each slot; drawn ones are not in it
  std::vector<double> row;    ///< base attributes

  int stateWords() const { return kMatchWords + kUnitWords * numUnits + 2 * kNumPlaces; }
  int unitWord(int u) const { return kMatchWords + kUnitWords * u; }
  int placeWord(int p) const { return kMatchWords + kUnitWords * numUnits + 2 * p; }
  int positionWord(int entity) const { return entity < numUnits ? unitWord(entity) : placeWord(entity - numUnits); }

  double* unit(double* state, int u) const { return state + unitWord(u); }
  const double* unit(const double* state, int u) const { return state + unitWord(u); }
  const double* place(const double* state, int p) const { return state + placeWord(p); }
  const double* position(const double* state, int entity) const { return state + positionWord(entity); }
  double of(const double* attributes, UnitColumn column, int u) const { return attributes[column * numUnits + u]; }

  int size(int team) const { return config.slots[team]; }
  /// Units that the map gives a team.
  int mapSize(int team) const;
  int first(int team) const { return team == kAlly ? 0 : size(kAlly); }
  int end(int team) const { return first(team) + size(team); }
  int team(int u) const { return u < size(kAlly) ? kAlly : kEnemy; }
  int slot(int u) const { return u - first(team(u)); }
  /// Number of a unit for whatever is drawn for it: capacities do not shift it. Units have 0..kMaxUnits-1.
  int drawKey(int u) const { return kMaxPerTeam * team(u) + slot(u); }
  static int other(int team) { return kEnemy - team; }
  int numActions(int team) const { return kFirstAttack + size(other(team)); }

  /// The k-th enemy in the order in which a unit of `team` numbers them: the enemies go through the allies backwards.
  int foe(int team, int k) const { return team == kAlly ? size(kAlly) + k : size(kAlly) - 1 - k; }
  /// The action with which a unit of `team` attacks an enemy.
  int attackOn(int team, int target) const {
    return kFirstAttack + (team == kAlly ? target - size(kAlly) : size(kAlly) - 1 - target);
  }

  int cardWidth() const { return 7 + numTypeBits; }  ///< numbers in which another unit is observed
  int selfWidth() const { return 4 + numTypeBits; }
  int obsDim() const { return cardWidth() * (numUnits - 1) + selfWidth(); }
  int stateDim() const { return (4 + numTypeBits + 2) * numUnits; }

  const UnitType& type(const double* unit) const { return config.types[static_cast<std::size_t>(unit[kType])]; }
  bool isAlive(const double* state, int u) const { return unit(state, u)[kAlive] != 0.0; }
  bool isCloaked(const double* unit) const { return static_cast<int>(unit[kType]) == kInfiltrator; }
  /// Distance below which a unit sees another one, of its own team or not.
  double sightOf(const double* self, const double* other, bool isFoe) const {
    return isFoe && isCloaked(other) ? std::min(self[kSight], config.seenWithin) : self[kSight];
  }
  /// Whether both live and `u` sees the other one.
  bool sees(const double* state, int u, int other) const {
    const double* self = unit(state, u);
    const double* seen = unit(state, other);
    if (self[kAlive] == 0.0 || seen[kAlive] == 0.0) return false;
    const double sight = sightOf(self, seen, team(u) != team(other));
    return squareBetween(self, seen) < sight * sight;
  }
  /// Whether both live and `u` may attack the enemy from where it is.
  bool canAttack(const double* self, const double* target) const {
    if (self[kAlive] == 0.0 || target[kAlive] == 0.0) return false;
    const double square = squareBetween(self, target);
    if (isCloaked(target) && square >= config.seenWithin * config.seenWithin) return false;
    return config.isAttackSix ? square <= kSmacAttackRange * kSmacAttackRange : square < self[kRange] * self[kRange];
  }

 private:
  void fillRow(const ParameterValues& values);
};

/// The manifest of a layout, and where each of its attributes lives.
Description describe(const Layout& layout, const ParameterValues& values);

enum class Tactics { kClosest, kFocus, kKite, kHold, kRetreat };
enum class Temper { kSteady, kBold, kWary };

enum RelationId { kSees, kCanAttack, kAttacks };
enum EventId { kSpawnAlly, kSpawnEnemy, kPush, kWound, kJam };
enum BehaviourId {
  kDoAttack,
  kDoFocus,
  kDoKite,
  kDoHold,
  kDoChase,
  kDoGuard,
  kDoProtect,
  kDoFlee,
  kDoPatrol,
  kDoRetreat,
  kDoGoto,
  kDoWander
};
enum PolicyId { kPlayTactics, kPlayClosest, kPlayFocus, kPlayKite, kPlayRandom, kPlayStop };
enum SignalId { kTime, kAllyAlive, kEnemyAlive, kAllyHealth, kEnemyHealth };
enum ComponentId { kRewardDamage, kRewardKill, kRewardWin, kNumComponents };
enum MetricId {
  kMetricSuccess,
  kMetricDraw,
  kMetricSurvivors,
  kMetricKills,
  kMetricDeaths,
  kMetricDamageDealt,
  kMetricDamageTaken,
  kMetricCooperation,
  kMetricRole,
  kMetricExploration,
  kNumMetrics
};

}  // namespace gymwright::skirmish
