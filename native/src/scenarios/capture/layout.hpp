#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gymwright/scenario.hpp"
#include "sim/manifest_parts.hpp"
#include "sim/numbers.hpp"

/// What a copy of `capture` is made of. capture.cpp tells the game, rules.hpp its phases.
namespace gymwright::capture {

inline constexpr double kStepSeconds = 1.0;
inline constexpr double kScorePerCapture = 100.0;
inline constexpr int kNumActions = 9;
inline constexpr int kContinuousDim = 4;
inline constexpr int kMaxPerSlot = 8;
inline constexpr int kMaxUnits = 4 * kMaxPerSlot;
inline constexpr int kMaxPoints = 6;
inline constexpr double kSupplyRadius = 3.0;
inline constexpr double kLockRadius = 4.0;

/// Teams and roles are plain numbers, since they count places in arrays.
inline constexpr int kRed = 0, kBlue = 1, kNumTeams = 2;
inline constexpr int kAssault = 0, kSupport = 1, kNumRoles = 2;
inline constexpr const char* kTeamNames[kNumTeams] = {"red", "blue"};
inline constexpr const char* kRoleNames[kNumRoles] = {"assault", "support"};
enum Zone { kRedBase, kBlueBase, kMiddle, kNumZones };

/// Words of the match, kNumUp being the number of obstacles on the field; those of the units follow, then those of the
/// places.
enum MatchWord { kClock, kNumUp, kScores, kHeldSums = kScores + kNumTeams, kMatchWords = kHeldSums + kNumTeams };

enum UnitWord {
  kX,
  kY,
  kVx,  ///< over the last step
  kVy,
  kDriftX,  ///< what pushes left behind, m/s
  kDriftY,
  kHealth,
  kShare,    ///< health as a share of the full one
  kPresent,  ///< 1 where the unit is in play, dead or alive
  kAlive,
  kTimer,       ///< steps until a dead unit respawns
  kTimerShare,  ///< that as a share of the respawn time of the last step, at most 1
  kHit,         ///< unit hit in the last step, -1 = none
  kMended,      ///< unit healed in the last step, -1 = none
  kSight,       ///< vision of the last step, m
  kInPoint,
  kInBase,  ///< of the own team
  kKills,
  kDeaths,
  kCaptures,
  kDealt,
  kHealed,
  kLivingSteps,
  kRoleSteps,
  kDeeds,
  kJointDeeds,
  kCells,  ///< visited cells of a grid over the field
  kUnitWords
};

enum PlaceWord {
  kPlaceX,
  kPlaceY,
  kActive,
  kOwner,     ///< points: team, -1 = nobody's
  kProgress,  ///< points: steps of taking by kTaker
  kTaken,     ///< points: that as a share of the hold time of the last step, at most 1
  kTaker,     ///< points: team, -1 = nobody
  kOpenTo,    ///< points and locks: bit set of the teams that may take the point
  kStood,     ///< locks: clock at which a unit last stood there, by team and role; 0 = never
  kPlaceWords = kStood + kNumTeams * kNumRoles
};

/// Columns of the attribute row: of the units, [A] each, then of the places, [L] each.
enum UnitColumn {
  kSpeed,
  kDamage,
  kDamageTaken,
  kHeal,
  kVision,
  kRange,
  kMaxHealth,
  kRespawnTime,
  kBoldness,
  kEnabled,
  kTeam,
  kRole,
  kUnitColumns
};
enum PlaceColumn { kRadius, kHoldTime, kPlaceColumns };

/// Parameters as the rules of play use them.
struct Config {
  explicit Config(const ParameterValues& values);

  int count[kNumTeams][kNumRoles];  ///< units in play at the start
  int slots[kNumTeams][kNumRoles];  ///< units laid out
  double width, height;
  int numPoints, numSupplies, numObstacles, numLocks;  ///< places laid out
  int firstSupplies, firstObstacles;                   ///< in play at the start
  double pointScatter, pointDecay;
  double spawn[kNumTeams];
  double supplyHealth;
  double lockWindow;
  bool isSightBlocked, hasFriendlyFire, isInformationSplit;
  double captureReward, ownShare;
  double holdScore, scoreLimit;
  int episodeLength;
};

/// Every parameter of the scenario under given values: counts whose capacity is set are not structural.
std::vector<Parameter> parameters();
/// What is wrong with values that are each within bounds, if anything.
std::optional<Failure> checkParameters(const ParameterValues& values);

/// Steps that a time takes, at least one.
inline double stepsOf(double seconds) { return std::max(1.0, std::ceil(seconds / kStepSeconds - 1e-9)); }

/// Where things are in a copy's state and attribute row. Units are numbered red assault, red support, blue assault,
/// blue support; places: zones, points, supplies, obstacles, locks.
class Layout {
 public:
  explicit Layout(const ParameterValues& values);

  Config config;
  int numUnits;
  int numPlaces;
  std::vector<int> roles;
  std::vector<int> lockedPoints;  ///< [locks] the point that each keeps closed, in ascending order
  std::vector<double> row;        ///< base attributes

  // Factors of observations.
  double perSide;   ///< 1 / longer side of the field
  double perStep;   ///< 1 / steps of an episode
  double perScore;  ///< 1 / score of taking every point

  int stateWords() const { return kMatchWords + kUnitWords * numUnits + kPlaceWords * numPlaces; }
  int unitWord(int u) const { return kMatchWords + kUnitWords * u; }
  int placeWord(int p) const { return kMatchWords + kUnitWords * numUnits + kPlaceWords * p; }
  int positionWord(int entity) const { return entity < numUnits ? unitWord(entity) : placeWord(entity - numUnits); }

  double* unit(double* state, int u) const { return state + unitWord(u); }
  const double* unit(const double* state, int u) const { return state + unitWord(u); }
  double* place(double* state, int p) const { return state + placeWord(p); }
  const double* place(const double* state, int p) const { return state + placeWord(p); }
  const double* position(const double* state, int entity) const { return state + positionWord(entity); }

  double of(const double* attributes, UnitColumn column, int u) const { return attributes[column * numUnits + u]; }
  int placeColumn(PlaceColumn column) const { return kUnitColumns * numUnits + column * numPlaces; }
  double ofPlace(const double* attributes, PlaceColumn column, int p) const {
    return attributes[placeColumn(column) + p];
  }
  double radius(int p) const { return ofPlace(row.data(), kRadius, p); }

  int teamSize(int team) const { return config.slots[team][kAssault] + config.slots[team][kSupport]; }
  int first(int team) const { return team == kRed ? 0 : teamSize(kRed); }
  int end(int team) const { return first(team) + teamSize(team); }
  int team(int u) const { return u < teamSize(kRed) ? kRed : kBlue; }
  int role(int u) const { return roles[static_cast<std::size_t>(u)]; }
  int slotInRole(int u) const;
  static int other(int team) { return kBlue - team; }

  /// What tells the draws of a unit or a place from those of others: counts and capacities change it for nobody.
  std::uint32_t unitKey(int u) const;
  std::uint32_t placeKey(int p) const;

  int point(int i) const { return kNumZones + i; }
  int supply(int i) const { return point(config.numPoints) + i; }
  int obstacle(int i) const { return supply(config.numSupplies) + i; }
  int lock(int i) const { return obstacle(config.numObstacles) + i; }
  /// The lock that keeps a point closed; -1 where it has none.
  int lockOf(int point) const;

  bool isAlive(const double* state, int u) const { return unit(state, u)[kAlive] != 0.0; }
  bool isInside(const double* spot, const double* state, int p) const {
    return squareBetween(spot, place(state, p)) <= radius(p) * radius(p);
  }
  static bool isOpenTo(const double* place, int team) { return (static_cast<int>(place[kOpenTo]) >> team & 1) != 0; }

  /// Share of the way (dx, dy) that a unit can go from a spot before it meets an obstacle.
  double freeShare(const double* state, const double* spot, double dx, double dy) const;
  /// Whether no obstacle that blocks sight is between two spots.
  bool isClear(const double* state, const double* from, const double* to) const;
  /// Whether `u` sees a spot: within its vision of the last step, and clear.
  bool sees(const double* state, int u, const double* spot) const {
    const double sight = unit(state, u)[kSight];
    const double* self = unit(state, u);
    return squareBetween(self, spot) <= sight * sight && isClear(state, self, spot);
  }
  bool seesUnit(const double* state, int u, int other) const {
    return isAlive(state, other) && sees(state, u, unit(state, other));
  }

  /// Both teams observe everybody else, so they see as many numbers.
  int obsDim() const;
  int stateDim() const;

 private:
  void fillUnits(const ParameterValues& values);
  void fillPlaces(const ParameterValues& values);
};

/// The manifest of a layout, and where each of its attributes lives.
Description describe(const Layout& layout, const ParameterValues& values);

/// Unit vectors of the actions; action 0 stands, 1..8 go counter-clockwise from east.
inline constexpr double kDiagonal = 0.70710678118654752;
inline constexpr double kDirections[kNumActions][2] = {{0, 0},
                                                       {1, 0},
                                                       {kDiagonal, kDiagonal},
                                                       {0, 1},
                                                       {-kDiagonal, kDiagonal},
                                                       {-1, 0},
                                                       {-kDiagonal, -kDiagonal},
                                                       {0, -1},
                                                       {kDiagonal, -kDiagonal}};

enum RelationId { kSees, kHits, kHeals, kThreatens, kOwns, kMayTake };
enum EventId { kSpawnSupply, kSpawnObstacle, kRemoveSupply, kRemoveObstacle, kPush, kWound };
enum BehaviourId {
  kDoHold,
  kDoPatrol,
  kDoChase,
  kDoAttack,
  kDoGuard,
  kDoFlee,
  kDoProtect,
  kDoHeal,
  kDoTake,
  kDoRetreat,
  kDoGoto,
  kDoWander
};
enum PolicyId { kNoop, kRandom, kBold, kSteady, kWary, kMixed, kTempered };
enum SignalId { kTime, kRedScore, kBlueScore, kRedPoints, kBluePoints, kRedAlive, kBlueAlive };
enum MetricId {
  kMetricSuccess,
  kMetricScore,
  kMetricLead,
  kMetricPointsHeld,
  kMetricKills,
  kMetricDeaths,
  kMetricCaptures,
  kMetricDamageDealt,
  kMetricHealing,
  kMetricCooperation,
  kMetricRole,
  kMetricExploration,
  kNumMetrics
};

}  // namespace gymwright::capture
