// What agents of particle scenarios can do: moves, words, and both at once.
#include <algorithm>

#include "sim/mpe_world.hpp"

namespace gymwright {
namespace {

constexpr const char* kMoveNames[] = {"none", "left", "right", "down", "up"};

double clampUnit(float x) { return std::clamp(static_cast<double>(x), 0.0, 1.0); }

}  // namespace

int MpeScenario::numActionsOf(int a) const { return (isMobile(a) ? kNumMoves : 1) * (isSpeaker(a) ? numWords() : 1); }

void MpeScenario::moveControls(std::int32_t move, double* controls) {
  constexpr double kDirections[kNumMoves][2] = {{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}};
  controls[0] = kDirections[move][0];
  controls[1] = kDirections[move][1];
}

/// A speaker's action is its word times the number of its moves, plus the move.
void MpeScenario::decodeDiscrete(int a, std::int32_t action, double* controls) const {
  const int numMoves = isMobile(a) ? kNumMoves : 1;
  moveControls(action % numMoves, controls);
  const int said = isSpeaker(a) ? action / numMoves : -1;
  for (int w = 0; w < numWords(); ++w) controls[2 + w] = w == said ? 1.0 : 0.0;
}

/// Order: [none, left, right, down, up] for who moves, then one number per word for who speaks.
void MpeScenario::decodeContinuous(int a, const float* action, double* controls) const {
  controls[0] = controls[1] = 0.0;
  if (isMobile(a)) {
    controls[0] = clampUnit(action[2]) - clampUnit(action[1]);
    controls[1] = clampUnit(action[4]) - clampUnit(action[3]);
    action += kNumMoves;
  }
  for (int w = 0; w < numWords(); ++w) controls[2 + w] = isSpeaker(a) ? clampUnit(action[w]) : 0.0;
}

/// Every agent has every action of its own, always.
void MpeScenario::writeAvailActions(const double* state, std::uint8_t* out) const {
  if (!isUniform_) return Scenario::writeAvailActions(state, out);
  std::fill_n(out, numAgents() * manifest_.numActions, std::uint8_t{1});
}

std::int32_t MpeScenario::actionOf(const double* state, int a, std::int32_t move, int said) const {
  if (!isMobile(a)) move = 0;
  if (!isSpeaker(a)) return move;
  if (said < 0) said = std::max(0, word(state, a));
  return move + said * (isMobile(a) ? kNumMoves : 1);
}

Group MpeScenario::describeGroup(std::string name, std::vector<std::string> agents, int firstAgent, int obsDim,
                                 std::vector<std::string> scripted) const {
  const bool moves = isMobile(firstAgent);
  std::vector<std::string> actions;
  for (int w = 0; w < (isSpeaker(firstAgent) ? numWords() : 1); ++w) {
    const std::string said = isSpeaker(firstAgent) ? "say_" + std::to_string(w) : "";
    if (!moves) actions.push_back(said.empty() ? kMoveNames[0] : said);
    for (int m = 0; moves && m < kNumMoves; ++m) actions.push_back(kMoveNames[m] + (said.empty() ? "" : "_" + said));
  }
  const int continuousDim = (moves ? kNumMoves : 0) + (isSpeaker(firstAgent) ? numWords() : 0);
  const auto numActions = static_cast<int>(actions.size());
  return {std::move(name), std::move(agents),  firstAgent,    obsDim,
          numActions,      std::move(actions), continuousDim, std::move(scripted)};
}

}  // namespace gymwright
