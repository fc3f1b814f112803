#include <algorithm>
#include <cmath>

#include "check.hpp"
#include "gymwright/trace.hpp"
#include "test_env.hpp"

using namespace gymwright;
using namespace gymwright::test;

namespace {

const char* const kFamily[] = {"simple",        "simple_adversary", "simple_crypto",
                               "simple_push",   "simple_reference", "simple_speaker_listener",
                               "simple_spread", "simple_tag",       "simple_world_comm"};

const Placement kReference{{{0, 0}, {0.5, 0}}, {{1, 1}, {0, 1}, {-1, 0}}, {{"goals", {2, 0}}}};
const Placement kSpeaker{{{0, 0}, {0.5, 0}}, {{1, 1}, {0, 1}, {-1, 0}}, {{"goal", {1}}}};
const Placement kCrypto{{{0, 0}, {0, 0}, {0, 0}}, {{1, 1}, {0, 1}}, {{"goal", {1}}, {"key", {0}}}};

std::string placeProblem(const std::string& name, const Placement& placement) {
  const auto scenario = scenarioOf(name);
  std::vector<double> state(static_cast<std::size_t>(scenario->stateWords()));
  return scenario->place(placement, state.data()).value_or("");
}

/// Numbers first..first+count-1 of an agent's observation.
std::vector<double> slice(const TraceStep& step, std::size_t agent, std::size_t first, std::size_t count) {
  const auto begin = step.obs[agent].begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

/// The continuous action that means a discrete one: 1 where its move and its word are.
std::vector<float> continuousOf(const Group& group, int width, std::int32_t action) {
  std::vector<float> row(static_cast<std::size_t>(width), 0.0f);
  const bool moves = group.actionNames.front().rfind("say_", 0) != 0;
  const int numMoves = moves ? 5 : 1;
  if (moves) row[static_cast<std::size_t>(action % 5)] = 1.0f;
  const bool speaks = group.continuousDim > (moves ? 5 : 0);
  if (speaks) row[static_cast<std::size_t>((moves ? 5 : 0) + action / numMoves)] = 1.0f;
  return row;
}

}  // namespace

TEST("speech: a word is heard in the observation of the step in which it is said, and no longer") {
  const auto scenario = scenarioOf("simple_reference");
  // Agent 0 says word 3 while it goes right, then word 0; agent 1 says 9, then 1.
  const auto steps = trace(*scenario, kReference, {{3 * 5 + 2, 9 * 5}, {0, 1 * 5}}).value();
  std::vector<double> heard(10, 0.0);
  heard[3] = 1.0;
  CHECK(slice(steps[0], 1, 11, 10) == heard);
  heard[3] = 0.0;
  heard[0] = 1.0;
  CHECK(slice(steps[1], 1, 11, 10) == heard);
  CHECK_EQ(slice(steps[0], 0, 11, 10)[9], 1.0);
  CHECK_EQ(slice(steps[1], 0, 11, 10)[9], 0.0);
  CHECK_NEAR(steps[0].velocities[0][0], 0.5, 1e-15);
  CHECK_EQ(steps[0].velocities[1][0], 0.0);
}

TEST("speech: at the start of an episode nothing has been said") {
  TestEnv env({.scenario = scenarioOf("simple_reference"), .numEnvs = 1});
  const auto silent = [&env] {
    return std::all_of(env.obs.begin() + 11, env.obs.begin() + 21, [](float x) { return x == 0.0f; });
  };
  CHECK(silent());
  std::fill(env.actions.begin(), env.actions.end(), 7 * 5);
  for (int t = 0; t < 24; ++t) env.step();
  CHECK(!silent());
  env.step();
  CHECK_EQ(int{env.truncated[0]}, 1);
  CHECK(silent());
}

TEST("speech: who only speaks has one action per word, and stays where it is") {
  const auto scenario = scenarioOf("simple_speaker_listener");
  const auto& groups = scenario->manifest().groups;
  CHECK_EQ(groups[0].numActions, 3);
  CHECK_EQ(groups[0].continuousDim, 3);
  CHECK_EQ(groups[1].numActions, 5);
  CHECK_EQ(groups[1].continuousDim, 5);
  std::uint8_t legal[10];
  std::vector<double> state(static_cast<std::size_t>(scenario->stateWords()));
  scenario->writeAvailActions(state.data(), legal);
  CHECK(std::vector<std::uint8_t>(legal, legal + 10) == (std::vector<std::uint8_t>{1, 1, 1, 0, 0, 1, 1, 1, 1, 1}));
  const auto steps = trace(*scenario, kSpeaker, {{2, 1}, {1, 1}, {1, 1}}).value();
  CHECK_EQ(steps[2].positions[0][0], 0.0);
  CHECK(steps[2].positions[1][0] < 0.5);
  CHECK(slice(steps[0], 1, 8, 3) == (std::vector<double>{0, 0, 1}));
  CHECK(slice(steps[0], 0, 0, 3) == (std::vector<double>{0.15, 0.65, 0.15}));
}

TEST("simple_crypto: who says nothing is not judged, and half a word is judged by its distance") {
  TestEnv env({.scenario = scenarioOf("simple_crypto"), .numEnvs = 1, .isContinuous = true});
  const auto message = [&env](std::size_t w) { return env.obs[2 * 8 + w]; };
  std::vector<float> actions(3 * 4, 0.0f);
  env.env->stepBatch(actions.data());
  CHECK(env.rewards == (std::vector<float>{0, 0, 0}));
  // Eve says half of the message: (1 - 0.5)^2. Bob says the other message: 2.
  const std::size_t goal = message(0) == 1.0f ? 0 : 1;
  actions[goal] = 0.5f;
  actions[4 + 1 - goal] = 1.0f;
  env.env->stepBatch(actions.data());
  CHECK(env.rewards == (std::vector<float>{-0.25f, -1.75f, -1.75f}));
}

TEST("particle scenarios: continuous actions at their ends are the discrete ones") {
  for (const char* name : kFamily) {
    const auto scenario = scenarioOf(name);
    const Manifest& manifest = scenario->manifest();
    TestEnv discrete({.scenario = scenario, .numEnvs = 3});
    TestEnv continuous({.scenario = scenario, .numEnvs = 3, .isContinuous = true});
    std::vector<float> actions;
    for (int t = 0; t < 30; ++t) {
      actions.clear();
      for (std::size_t i = 0; i < discrete.actions.size(); ++i) {
        const auto agent = static_cast<int>(i % discrete.numAgents);
        const auto group = std::find_if(manifest.groups.begin(), manifest.groups.end(), [agent](const Group& g) {
          return agent < g.firstAgent + static_cast<int>(g.agents.size());
        });
        discrete.actions[i] = static_cast<std::int32_t>(mix64(i + 100 * static_cast<std::size_t>(t)) %
                                                        static_cast<std::uint64_t>(group->numActions));
        const auto row = continuousOf(*group, manifest.continuousDim, discrete.actions[i]);
        actions.insert(actions.end(), row.begin(), row.end());
      }
      discrete.step();
      continuous.env->stepBatch(actions.data());
    }
    CHECK_EQ(discrete.env->stateHash(), continuous.env->stateHash());
  }
}

TEST("world.dynamics: v2 moves with the velocity of the same step, v3 with the one before") {
  for (const double dynamics : {0.0, 1.0}) {
    const auto scenario = scenarioOf("simple", {{"world.dynamics", dynamics}});
    const auto steps = trace(*scenario, {{{0, 0}}, {{1, 1}}}, {{2}, {0}}).value();
    CHECK_NEAR(steps[0].positions[0][0], dynamics == 1.0 ? 0.05 : 0.0, 1e-15);
    CHECK_NEAR(steps[1].positions[0][0], dynamics == 1.0 ? 0.0875 : 0.05, 1e-15);
    CHECK_NEAR(steps[1].velocities[0][0], 0.375, 1e-15);
  }
}

TEST("simple_tag: obstacles push agents away and stay, and episodes end on success where that is set") {
  const Settings one = {{"adversary.count", 1}, {"obstacle.count", 1}, {"episode.end_on_success", 1}};
  const auto scenario = scenarioOf("simple_tag", one);
  const auto steps = trace(*scenario, {{{0.2, 0}, {-0.9, 0.9}}, {{0, 0}}}, {{0, 0}, {0, 0}}).value();
  CHECK(steps[0].velocities[0][0] > 0.5);
  CHECK_EQ(steps[0].velocities[1][0], 0.0);
  CHECK_NEAR(slice(steps[1], 0, 4, 1)[0], -steps[1].positions[0][0], 1e-15);
  std::vector<double> state(static_cast<std::size_t>(scenario->stateWords()));
  std::vector<double> controls(4), components(4);
  const auto ends = [&](double gap) {
    CHECK(!scenario->place({{{0.5, 0}, {0.5 + gap, 0}}, {{-0.9, 0}}}, state.data()));
    return scenario->advance(state.data(), scenario->baseAttributes().data(), controls.data(), components.data());
  };
  CHECK(ends(0.12));
  CHECK_EQ(components[0], 10.0);
  CHECK_EQ(components[2], -10.0);
  // Contact is strict.
  CHECK(!ends(0.13));
}

TEST("simple_world_comm: prey in a forest is out of sight of all but the leader and who is there too") {
  const auto scenario = scenarioOf("simple_world_comm");
  // Landmarks: obstacle, two foods, two forests. Predator 1 stands in the forest of prey 4, predator 2 outside.
  const Placement placement{{{-0.9, 0.9}, {0.5, 0.4}, {-0.5, -0.5}, {-0.9, -0.9}, {0.5, 0.6}, {-0.3, 0.8}},
                            {{0, 0}, {0.9, -0.9}, {0.8, -0.9}, {0.5, 0.5}, {0.9, -0.5}}};
  const auto step = trace(*scenario, placement, {{0, 0, 0, 0, 0, 0}}).value()[0];
  // Others start at 14; the prey is the fourth of them for every predator.
  const auto seen = [&](std::size_t predator) { return slice(step, predator, 14 + 2 * 3, 2); };
  CHECK_NEAR(seen(0)[0], 1.4, 1e-12);
  CHECK_NEAR(seen(1)[1], 0.2, 1e-3);
  CHECK(seen(2) == (std::vector<double>{0, 0}));
  // The other prey, in the open, is seen by who is in the open and not by who is in the forest.
  CHECK_NEAR(slice(step, 2, 14 + 2 * 4, 2)[0], 0.2, 1e-12);
  CHECK(slice(step, 1, 14 + 2 * 4, 2) == (std::vector<double>{0, 0}));
  // Flags: behind the velocities of a predator, before those of a prey.
  CHECK(slice(step, 1, 28, 2) == (std::vector<double>{1, -1}));
  CHECK(slice(step, 4, 24, 2) == (std::vector<double>{1, -1}));
  CHECK(slice(step, 2, 28, 2) == (std::vector<double>{-1, -1}));
}

TEST("simple_world_comm: what is seen follows the size that forests have in the step") {
  const auto scenario = scenarioOf("simple_world_comm");
  const Manifest& manifest = scenario->manifest();
  const Placement placement{{{-0.9, 0.9}, {0.9, 0.9}, {-0.5, -0.5}, {-0.9, -0.9}, {0.5, 0.5}, {-0.3, 0.8}},
                            {{0, 0}, {0.9, -0.9}, {0.8, -0.9}, {0.5, 0.5}, {-0.9, -0.5}}};
  std::vector<double> state(static_cast<std::size_t>(scenario->stateWords()));
  CHECK(!scenario->place(placement, state.data()));
  const auto size = std::find_if(manifest.attributes.begin(), manifest.attributes.end(), [](const Attribute& a) {
    return a.name == "size" && a.kind == EntityKind::kLandmark;
  });
  std::vector<double> row(scenario->baseAttributes().begin(), scenario->baseAttributes().end());
  row[scenario->attributeWord(static_cast<int>(size - manifest.attributes.begin()), manifest.numAgents + 3)] = 0.7;
  std::vector<double> controls(6 * static_cast<std::size_t>(scenario->controlWords()));
  std::vector<double> components(6 * manifest.components.size());
  std::vector<double> obs(6 * static_cast<std::size_t>(manifest.obsDim));
  // Predator 1 is 0.57 m from the middle of the forest in which prey 4 stands.
  const auto seenPrey = [&] {
    scenario->writeObs(state.data(), obs.data());
    return obs[static_cast<std::size_t>(manifest.obsDim) + 14 + 2 * 3];
  };
  CHECK_EQ(seenPrey(), 0.0);
  scenario->advance(state.data(), row.data(), controls.data(), components.data());
  CHECK_NEAR(seenPrey(), -0.4, 1e-12);
  scenario->advance(state.data(), scenario->baseAttributes().data(), controls.data(), components.data());
  CHECK_EQ(seenPrey(), 0.0);
}

TEST("simple_world_comm: the scripted leader names the forest in which prey hides, and the others go there") {
  const auto scenario = scenarioOf("simple_world_comm");
  const Placement placement{{{-0.9, 0.9}, {-0.8, 0.5}, {-0.5, -0.5}, {-0.9, -0.9}, {0.5, 0.5}, {0.9, -0.4}},
                            {{0, 0}, {0.9, -0.9}, {0.8, -0.9}, {0.9, -0.5}, {0.5, 0.5}}};
  std::vector<double> state(static_cast<std::size_t>(scenario->stateWords()));
  CHECK(!scenario->place(placement, state.data()));
  std::int32_t action = 0;
  const EpisodeRng rng(1, 0);
  scenario->actScripted(0, 2, state.data(), scenario->baseAttributes().data(), rng, 0, &action);
  CHECK_EQ(action / 5, 2);
}

TEST("particle scenarios: landmarks and goals can be drawn anew in mid-episode, each cause by itself") {
  for (const char* name : kFamily) {
    const auto scenario = scenarioOf(name);
    const Manifest& manifest = scenario->manifest();
    std::vector<double> start(static_cast<std::size_t>(scenario->stateWords()));
    const EpisodeRng rng(5, 3);
    scenario->reset(start.data(), rng);
    const auto after = [&](const std::string& event, int entity, std::uint32_t key) {
      const auto found =
          std::find_if(manifest.events.begin(), manifest.events.end(), [&](const Event& e) { return e.name == event; });
      std::vector<double> state = start;
      scenario->trigger(static_cast<int>(found - manifest.events.begin()), 0.0, entity, key, rng, 7, state.data());
      CHECK(scenario->isValidState(state.data()));
      return state;
    };
    const bool hasGoal =
        std::any_of(manifest.events.begin(), manifest.events.end(), [](const Event& e) { return e.name == "goal"; });
    bool hasChanged = !hasGoal;
    for (std::uint32_t key = 0; hasGoal && key < 20; ++key) hasChanged |= after("goal", -1, key) != start;
    CHECK(hasChanged);
    if (manifest.name == "simple_crypto") continue;
    const auto firstLandmark = static_cast<std::size_t>(scenario->positionWord(manifest.numAgents));
    const auto moved = after("relocation", manifest.numAgents, 1);
    CHECK(moved[firstLandmark] != start[firstLandmark]);
    CHECK(std::equal(moved.begin() + static_cast<std::ptrdiff_t>(firstLandmark) + 2, moved.end(),
                     start.begin() + static_cast<std::ptrdiff_t>(firstLandmark) + 2));
    CHECK(after("layout", -1, 1) == after("layout", -1, 1));
    CHECK(after("layout", -1, 1) != after("layout", -1, 2));
  }
}

TEST("simple_crypto: where nobody moves, no event and no behaviour is about places") {
  const auto scenario = scenarioOf("simple_crypto");
  const Manifest& manifest = scenario->manifest();
  CHECK_EQ(manifest.events.size(), std::size_t{1});
  CHECK_EQ(manifest.events[0].name, std::string("goal"));
  CHECK_EQ(manifest.behaviours.size(), std::size_t{2});
  std::vector<double> state(static_cast<std::size_t>(scenario->stateWords()));
  CHECK(!scenario->place(kCrypto, state.data()));
  bool hasWandered = false;
  for (std::int32_t step = 0; step < 20; ++step) {
    const auto act = [&](int behaviour) {
      return scenario->behave(behaviour, 0, -1, state.data(), scenario->baseAttributes().data(), EpisodeRng(1, 0),
                              step);
    };
    CHECK_EQ(act(0), 0);
    hasWandered |= act(1) != 0;
  }
  CHECK(hasWandered);
}

TEST("pursuit: who touches is told by the sizes in force, as the reward counts it") {
  for (const char* name : {"simple_tag", "simple_world_comm"}) {
    const auto scenario = scenarioOf(name);
    const Manifest& m = scenario->manifest();
    std::vector<double> state(static_cast<std::size_t>(scenario->stateWords()));
    std::vector<double> row(scenario->baseAttributes().begin(), scenario->baseAttributes().end());
    std::vector<double> controls(static_cast<std::size_t>(m.numAgents * scenario->controlWords()));
    std::vector<double> components(static_cast<std::size_t>(m.numAgents) * m.components.size());
    Placement placement;
    for (int a = 0; a < m.numAgents; ++a) placement.agents.push_back({0.3 * a - 0.6, 0.0});
    placement.landmarks.assign(static_cast<std::size_t>(m.numLandmarks), {0.9, 0.9});
    CHECK(!scenario->place(placement, state.data()));
    CHECK_EQ(scenario->signal(1, state.data(), 0), 0.0);
    // As wide as the gaps between neighbours: the last predator and the first prey.
    std::fill(row.begin() + 2 * m.numAgents, row.begin() + 3 * m.numAgents, 0.16);
    scenario->advance(state.data(), row.data(), controls.data(), components.data());
    CHECK_EQ(scenario->signal(1, state.data(), 1), 1.0);
    CHECK(components[0] > 4.0);
    std::fill(row.begin() + 2 * m.numAgents, row.begin() + 3 * m.numAgents, 0.02);
    scenario->advance(state.data(), row.data(), controls.data(), components.data());
    CHECK_EQ(scenario->signal(1, state.data(), 2), 0.0);
  }
}

TEST("simple_world_comm: a predator hunts the prey that it sees, not a nearer one that hides") {
  const auto scenario = scenarioOf("simple_world_comm");
  // Agent 0 hides in a forest just left of predator 1, agent 1 stands in the open, farther to its right.
  const Placement placement{{{0.9, 0.9}, {0.0, 0.0}, {-0.9, 0.9}, {-0.9, -0.9}, {-0.4, 0.0}, {0.6, 0.0}},
                            {{0, -0.9}, {0.9, -0.9}, {0.8, -0.9}, {-0.5, 0.0}, {0.0, 0.8}}};
  std::vector<double> state(static_cast<std::size_t>(scenario->stateWords()));
  CHECK(!scenario->place(placement, state.data()));
  std::int32_t actions[3];
  const EpisodeRng rng(1, 0);
  scenario->actScripted(1, 2, state.data(), scenario->baseAttributes().data(), rng, 0, actions);
  CHECK_EQ(actions[0], 2);
}

TEST("particle scenarios: a layout says what of it is missing or wrong") {
  CHECK_EQ(placeProblem("simple_reference", kReference), std::string());
  CHECK(placeProblem("simple_reference", {kReference.agents, kReference.landmarks}).find("goals is missing") == 0);
  CHECK(placeProblem("simple_reference", {kReference.agents, kReference.landmarks, {{"goals", {1}}}})
            .find("goals has 1 numbers, not 2") == 0);
  CHECK(placeProblem("simple_reference", {kReference.agents, kReference.landmarks, {{"goals", {1, 3}}}})
            .find("goals must be in 0..2") == 0);
  CHECK(placeProblem("simple_crypto", {kCrypto.agents, kCrypto.landmarks, {{"goal", {1}}}}).find("key is missing") ==
        0);
  CHECK(placeProblem("simple_push", {{{0, 0}, {1, 0}}, {{0, 0}, {1, 1}}, {{"goal", {0.5}}}})
            .find("goal must be in 0..1") == 0);
}

TEST("particle scenarios: a state whose word or goal is none is refused") {
  const auto scenario = scenarioOf("simple_speaker_listener");
  std::vector<double> state(static_cast<std::size_t>(scenario->stateWords()));
  CHECK(!scenario->place(kSpeaker, state.data()));
  CHECK(scenario->isValidState(state.data()));
  const auto isValidWith = [&](std::size_t word, double value) {
    std::vector<double> changed = state;
    changed[word] = value;
    return scenario->isValidState(changed.data());
  };
  // Positions and velocities take 14 words; then come 2 messages of 3 and a word each, then the goal.
  CHECK(isValidWith(14 + 3, 2));
  CHECK(!isValidWith(14 + 3, 3));
  CHECK(!isValidWith(14 + 3, -2));
  CHECK(!isValidWith(14 + 8, 3));
  CHECK(!isValidWith(14 + 8, 0.5));
  CHECK(isValidWith(14 + 8, 2));
}

TEST("particle scenarios: general metrics lie within 0 and 1, or have no value, whoever plays") {
  for (const char* name : kFamily) {
    const auto scenario = scenarioOf(name);
    const Manifest& manifest = scenario->manifest();
    std::vector<int> random(manifest.groups.size(), 1);
    TestEnv env({.scenario = scenario, .scripted = random, .numEnvs = 40});
    for (int t = 0; t < 25; ++t) env.step();
    for (std::size_t i = 0; i < env.episodeMetrics.size(); ++i) {
      const Metric& metric = manifest.metrics[i % manifest.metrics.size()];
      const double value = env.episodeMetrics[i];
      CHECK(std::isnan(value) ? metric.name == "cooperation_index" : value >= metric.min && value <= metric.max);
    }
  }
}
