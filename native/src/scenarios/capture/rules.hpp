#pragma once

#include <array>
#include <cstdint>

#include "scenarios/capture/layout.hpp"

namespace gymwright::capture {

/// What the phases of one step tell each other.
struct StepNotes {
  std::array<bool, kMaxUnits> isStanding;       ///< alive and not moving: it uses its weapon
  std::array<bool, kMaxUnits> isAtWork;         ///< does what its role is for
  std::array<std::int32_t, kMaxUnits> points;   ///< bit set of the points it stands in
  std::array<std::int32_t, kMaxUnits> numHits;  ///< enemies that hit it
  int pointsTaken;                              ///< bit set of the points that made progress
};

// Set-up (setup.cpp).

/// Places of the field as they are before any draw.
void layOutPlaces(const Layout& layout, double* state);
/// Brings a unit into play at a place if it is one of those that play from the start.
void startUnit(const Layout& layout, double* state, int u, double x, double y);
/// Lays a state out as told; returns what is wrong with the placement, if anything.
std::optional<std::string> layOutAsTold(const Layout& layout, const Placement& placement, double* state);
/// Whether words of unknown origin are a state that can be stepped without leaving any array.
bool isStateOf(const Layout& layout, const double* state);
/// Notes how many obstacles are on the field.
void countObstacles(const Layout& layout, double* state);
/// Brings a unit into play, with full health, where it is told to stand.
void enterUnit(const Layout& layout, double* state, const double* attributes, int u, double x, double y);
/// Where a unit appears when it respawns or joins during play.
void respawnUnit(const Layout& layout, double* state, const double* attributes, int u);
/// Takes a unit out of play; its sums stay.
void removeUnit(const Layout& layout, double* state, int u);
/// Notes whether a unit is in a point or at its base; returns the bit set of the points.
int noteGround(const Layout& layout, double* state, int u);

// Phases of a step, in this order.

/// Units that a regime brings into play appear at their base, those it takes out vanish.
void takeAttendance(const Layout& layout, double* state, const double* attributes);
/// Dead units whose time has come stand at their base again.
void respawnDead(const Layout& layout, double* state, const double* attributes);
void moveUnits(const Layout& layout, double* state, const double* attributes, const double* controls, StepNotes& notes);
/// Hits and heals of standing units, all at once, then the dead.
void fight(const Layout& layout, double* state, const double* attributes, StepNotes& notes);
void takeSupplies(const Layout& layout, double* state, const double* attributes);
void operateLocks(const Layout& layout, double* state);
/// Shape: components [A], written in full.
void takePoints(const Layout& layout, double* state, const double* attributes, StepNotes& notes, double* components);
/// Notes that a unit was in the cell of the field where it is.
void visit(const Layout& layout, double* unit);
/// Health and respawn time as shares, and the sums behind the metrics.
void keepBooks(const Layout& layout, double* state, const double* attributes, const StepNotes& notes);
void writeMetrics(const Layout& layout, const double* state, std::int32_t steps, double* metrics);

// Between steps.

/// Whether a relation of the manifest holds, as 0 or 1.
double relate(const Layout& layout, int id, int from, int to, const double* state, const double* attributes);

/// Seeds: Stream::kEvent, entity = key.
void triggerEvent(const Layout& layout, int event, double amount, int entity, std::uint32_t key, const EpisodeRng& rng,
                  std::int32_t step, double* state);
/// Looks for a spot where a disc of radius `margin` meets no other place: first draws `draw`, draw + 1, ... of
/// (stream, step, entity), then over the whole field. Returns whether there is one; if not, `spot` is the one with the
/// widest gap to everything.
bool findFreePlace(const Layout& layout, const double* state, double margin, const EpisodeRng& rng, Stream stream,
                   std::uint32_t step, std::uint32_t entity, std::uint32_t draw, double* spot);

/// Whether a unit stood at a lock, at that clock, within the last lock.window.
inline bool stoodLately(const Layout& layout, const double* state, double clock) {
  return clock > 0.0 && (state[kClock] - clock) * kStepSeconds <= layout.config.lockWindow;
}

/// Square of the distance of a spot from the segment between two others.
double squareToSegment(const double* spot, const double* from, const double* to);

/// Shape: obs [A,O], T float or double.
template <typename T>
void writeObsAs(const Layout& layout, const double* state, T* obs);
/// Shape: out [S]
void writeGlobalState(const Layout& layout, const double* state, float* out);
void describeFrame(const Layout& layout, const FrameMoment& moment, Frame& frame);

}  // namespace gymwright::capture
