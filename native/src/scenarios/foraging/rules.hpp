#pragma once

#include <cstdint>

#include "scenarios/foraging/layout.hpp"

namespace gymwright::foraging {

// Set-up (setup.cpp).

/// Draws the first state of an episode.
void layOut(const Layout& layout, double* state, const EpisodeRng& rng);
/// Lays a state out as told; returns what is wrong with the placement, if anything.
std::optional<std::string> layOutAsTold(const Layout& layout, const Placement& placement, double* state);
/// Whether words of unknown origin are a state that can be stepped without leaving any array.
bool isStateOf(const Layout& layout, const double* state);

// Foods that come and go (foods.cpp).

/// Random bits of one draw.
using Bits = std::uint64_t;
/// Number 0..count-1 that the upper half of random bits says.
inline int chooseBelow(Bits bits, int count) {
  return static_cast<int>(((bits >> 32) * static_cast<Bits>(count)) >> 32);
}
/// Brings a food up: in a cell drawn among those that the rule of the start allows, with a drawn level. Nothing happens
/// where no cell is free.
void bringUp(const Layout& layout, double* state, int f, Bits place, Bits level);
/// Brings a food up in a cell.
void putFood(const Layout& layout, double* state, int f, Cell cell, double level);
/// Puts a food into another cell that the rule allows, or leaves it where no other one is free.
void relocate(const Layout& layout, double* state, int f, Bits place);
void takeAway(const Layout& layout, double* state, int f);
/// Foods that a regime brings in come up, those it takes out are gone.
void muster(const Layout& layout, double* state, const double* attributes);
/// Foods that are due come back.
void comeBack(const Layout& layout, double* state);
/// Whether no food is on the field and none will come back.
bool isBarren(const Layout& layout, const double* state);
/// Seeds: Stream::kEvent, entity = key.
void triggerEvent(const Layout& layout, int event, int entity, std::uint32_t key, const EpisodeRng& rng,
                  std::int32_t step, double* state);

// What agents are and were doing (books.cpp).

bool isBeside(const Layout& layout, const double* state, int a, int f);
/// Whether an agent observes a world entity.
bool sees(const Layout& layout, const double* state, int a, int entity);
/// Steps from an agent to the nearest food, past everything in between; a large number where there is none.
int stepsToFood(const Layout& layout, const double* state, int a);
/// Notes that an agent was in the part of the field where it is.
void visit(const Layout& layout, double* agent);
void writeMetrics(const Layout& layout, const double* state, std::int32_t steps, double* metrics);
/// Shape: obs [A,O], T float or double.
template <typename T>
void writeObsAs(const Layout& layout, const double* state, T* obs);

// For pictures (frame.cpp).

FrameBox frameBox(const Layout& layout);
void describeFrame(const Layout& layout, const FrameMoment& moment, Frame& frame);

}  // namespace gymwright::foraging
