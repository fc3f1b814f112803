#pragma once

#include <array>
#include <cstdint>

#include "scenarios/skirmish/layout.hpp"

namespace gymwright::skirmish {

/// What the phases of one step tell each other.
struct StepNotes {
  std::array<std::uint64_t, kMaxUnits> hitBy;  ///< bit set of the units that hit each
  std::array<double, kMaxUnits> shareBefore;   ///< health at the start of the step
  std::array<double, kMaxUnits> healthBefore;
};

// Set-up (setup.cpp).

/// Draws the first state of an episode.
void layOut(const Layout& layout, double* state, const EpisodeRng& rng);
/// Lays a state out as told; returns what is wrong with the placement, if anything.
std::optional<std::string> layOutAsTold(const Layout& layout, const Placement& placement, double* state);
/// Whether words of unknown origin are a state that can be stepped without leaving any array.
bool isStateOf(const Layout& layout, const double* state);
/// Brings a unit into play, with full health, at a spot.
void enterUnit(const Layout& layout, double* state, const double* attributes, int u, double x, double y);
/// Takes a unit out of play; its sums stay.
void removeUnit(const Layout& layout, double* state, int u);
/// Units that a regime brings into play appear where their team starts, those it takes out vanish; of all others type
/// and strength become those in force.
void muster(const Layout& layout, double* state, const double* attributes);

/// Pushes units apart that start too near to each other; where they stand then is their home.
void separate(const Layout& layout, double* state);

/// Uniform in [low, high), from the copy's own seed; `draw` as in stepBits.
inline double drawUniform(const double* state, std::uint64_t draw, double low, double high) {
  const std::uint64_t bits = stepBits(state[kSeed], state[kClock], draw);
  return low + (high - low) * (static_cast<double>(bits >> 11) * 0x1.0p-53);
}

// Phases of a step, in this order, after muster.

/// Eight sub-steps of moves, shots and pushes. Shape: controls [A], the action of each unit
void fight(const Layout& layout, double* state, const double* attributes, const double* controls, StepNotes& notes);
/// One pass that pushes overlapping discs apart, all at once. Shape: xs, ys, radii [count]
void pushApart(int count, double* xs, double* ys, const double* radii);
/// Shape: components [A,kNumComponents], written in full. Returns whether a team is wiped out.
bool payOut(const Layout& layout, const double* state, const StepNotes& notes, double* components);
/// The sums behind the metrics.
void keepBooks(const Layout& layout, double* state, const StepNotes& notes);
void writeMetrics(const Layout& layout, const double* state, double* metrics);
/// Notes that a unit was in the cell of the field where it is.
void visit(double* unit);

// Between steps.

/// Whether a relation of the manifest holds, as 0 or 1.
double relate(const Layout& layout, int id, int from, int to, const double* state);
/// Seeds: Stream::kEvent, entity = key.
void triggerEvent(const Layout& layout, int event, double amount, int entity, std::uint32_t key, const EpisodeRng& rng,
                  std::int32_t step, double* state);
int countAlive(const Layout& layout, const double* state, int team);

/// Shape: obs [A,O], T float or double.
template <typename T>
void writeObsAs(const Layout& layout, const double* state, T* obs);
/// Shape: out [S]
void writeGlobalState(const Layout& layout, const double* state, float* out);
void describeFrame(const Layout& layout, const FrameMoment& moment, Frame& frame);
/// Shape: out [A,N]
void writeMasks(const Layout& layout, const double* state, std::uint8_t* out);

}  // namespace gymwright::skirmish
