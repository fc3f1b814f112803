// What copies look like, asked of batches and playbacks: of every scenario, and of one that tells nonsense.
#include <cmath>
#include <limits>
#include <string>

#include "check.hpp"
#include "frame_reading.hpp"
#include "probe_scenario.hpp"
#include "recording.hpp"

using namespace gymwright;
using namespace gymwright::test;

namespace {

constexpr FrameDetail kEverything{true, true};

/// Value of an attribute in the state of a copy; 1 where entities of the kind have none of that name there.
double readState(const Scenario& scenario, const std::vector<double>& states, int entity, const std::string& name) {
  const Manifest& m = scenario.manifest();
  for (std::size_t i = 0; i < m.attributes.size(); ++i) {
    const Attribute& attribute = m.attributes[i];
    if (attribute.name != name || !m.applies(attribute, entity) || !scenario.addresses()[i].isInState) continue;
    return states[scenario.attributeWord(static_cast<int>(i), entity)];
  }
  return 1.0;
}

/// Whether an entity is on the field, dead or alive.
bool isThere(const Scenario& scenario, const std::vector<double>& state, int entity) {
  for (const char* presence : {"present", "active", "there"}) {
    if (readState(scenario, state, entity, presence) == 0.0) return false;
  }
  return true;
}

/// Everybody who is there is told of once, where the state has it; the dead are marked, the absent left out.
void expectWhole(const Scenario& scenario, const Frame& frame, const std::vector<double>& state,
                 const std::string& where) {
  const Manifest& m = scenario.manifest();
  for (int e = 0; e < m.numEntities(); ++e) {
    std::size_t numShapes = 0;
    for (const Shape& shape : frame.shapes) numShapes += shape.entity == e && shape.target < 0 ? 1 : 0;
    const std::string who = where + ", entity " + std::to_string(e);
    if (!isThere(scenario, state, e)) {
      if (numShapes > 0) fail(__FILE__, __LINE__, who, " is absent and has ", numShapes, " shapes");
      continue;
    }
    if (numShapes == 0) fail(__FILE__, __LINE__, who, " has no shape");
    const std::size_t word = static_cast<std::size_t>(scenario.positionWord(e));
    for (const Shape& shape : frame.shapes) {
      if (shape.entity != e) continue;
      if (shape.x != state[word] || shape.y != state[word + 1]) fail(__FILE__, __LINE__, who, " is elsewhere");
    }
    if (e >= m.numAgents) continue;
    const std::vector<Shape> bodies = bodiesOf(frame, e);
    if (bodies.size() != 1) fail(__FILE__, __LINE__, who, " has ", bodies.size(), " bodies");
    const bool isDead = readState(scenario, state, e, "alive") == 0.0;
    for (const Shape& body : bodies) {
      CHECK_EQ(hasFlag(&body, kShapeDead), isDead);
      CHECK_EQ(body.team, m.groupOf(e));
      CHECK(!(body.extentX <= 0.0));
    }
  }
}

/// Frames of episodes as a batch tells them, [episode][step], the last one at its end.
using Films = std::vector<std::vector<Frame>>;

/// Plays, asks for a frame of every copy at every step, and keeps those of the episodes that end.
Films film(TestEnv& env, Recorder& recorder, std::size_t numEpisodes, const std::string& where) {
  const Scenario& scenario = env.env->scenario();
  const int numEnvs = env.env->numEnvs();
  const auto numWords = static_cast<std::size_t>(scenario.stateWords());
  std::vector<double> states(static_cast<std::size_t>(numEnvs) * numWords);
  Films open(static_cast<std::size_t>(numEnvs));
  Films done;
  const auto shoot = [&](int e, const Result<Frame>& frame) {
    if (!frame) fail(__FILE__, __LINE__, where, ": ", frame.failure().message);
    open[static_cast<std::size_t>(e)].push_back(frame.value());
  };
  for (int e = 0; e < numEnvs; ++e) shoot(e, env.env->frame(e, kEverything));
  while (recorder.ended.size() < numEpisodes) {
    const std::uint64_t before = env.env->stateHash();
    env.env->copyStates(states.data());
    for (int e = 0; e < numEnvs; ++e) {
      const auto first = states.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(e) * numWords);
      const std::vector<double> state(first, first + static_cast<std::ptrdiff_t>(numWords));
      expectWhole(scenario, open[static_cast<std::size_t>(e)].back(), state, where);
    }
    CHECK_EQ(env.env->stateHash(), before);
    recorder.step();
    for (int e = 0; e < numEnvs; ++e) {
      auto& reel = open[static_cast<std::size_t>(e)];
      CHECK_EQ(env.env->hasEnded(e), env.terminated[static_cast<std::size_t>(e)] != 0 ||
                                         env.truncated[static_cast<std::size_t>(e)] != 0);
      if (env.env->hasEnded(e)) {
        shoot(e, env.env->finalFrame(e, kEverything));
        done.push_back(reel);
        reel.clear();
      }
      shoot(e, env.env->frame(e, kEverything));
    }
  }
  return done;
}

}  // namespace

TEST("frames of every scenario tell of everybody who is there, where they are, and change nothing") {
  for (const std::string& name : scenarioNames()) {
    const TestEnvOptions options{.scenario = scenarioOf(name, {{"episode.length", 20}}), .numEnvs = 5, .seed = 3};
    TestEnv env(options);
    Recorder recorder(env, options.seed);
    film(env, recorder, 10, name);
  }
}

TEST("a playback has the frames of the steps on record, bit for bit") {
  for (const std::string& name : scenarioNames()) {
    const TestEnvOptions options{.scenario = scenarioOf(name, {{"episode.length", 20}}), .numEnvs = 5, .seed = 3};
    TestEnv env(options);
    Recorder recorder(env, options.seed);
    const Films films = film(env, recorder, 5, name);
    TestPlayback again(options, films.size());
    CHECK(!again.begin(recorder.ended));
    for (std::size_t t = 0; t <= 20; ++t) {
      for (std::size_t e = 0; e < films.size(); ++e) {
        if (t >= films[e].size()) continue;
        const auto frame = again.playback->frame(static_cast<int>(e), kEverything);
        CHECK(static_cast<bool>(frame));
        if (!isSameFrame(frame.value(), films[e][t]))
          fail(__FILE__, __LINE__, name, ": episode ", e, " differs at step ", t);
        CHECK_EQ(films[e][t].step, static_cast<std::int32_t>(t));
      }
      again.stage(recorder.ended, t);
      CHECK(!again.step());
    }
  }
}

TEST("agents that no caller plays are marked") {
  TestEnv env({.scenario = scenarioOf("simple_tag"), .scripted = {kPlayedByCaller, 1}, .numEnvs = 1});
  const auto frame = env.env->frame(0);
  CHECK_EQ(hasFlag(&bodiesOf(frame.value(), 0)[0], kShapeScripted), false);
  CHECK_EQ(hasFlag(&bodiesOf(frame.value(), 3)[0], kShapeScripted), true);
}

namespace {

enum class Nonsense { kNothing, kPlace, kExtent, kLevel, kEntity, kTeam, kFlag, kHeading };

/// A probe that is told of by the default, the last shape spoiled.
class OddScenario final : public Scenario {
 public:
  explicit OddScenario(Nonsense nonsense) : nonsense_(nonsense) {
    manifest_ = inner_.manifest();
    stateWords_ = inner_.stateWords();
    controlWords_ = inner_.controlWords();
    baseAttributes_.assign(inner_.baseAttributes().begin(), inner_.baseAttributes().end());
    addresses_.assign(inner_.addresses().begin(), inner_.addresses().end());
  }
  void reset(double* state, const EpisodeRng& rng) const override { inner_.reset(state, rng); }
  bool isValidState(const double*) const override { return true; }
  void decodeDiscrete(int agent, std::int32_t action, double* controls) const override {
    inner_.decodeDiscrete(agent, action, controls);
  }
  bool advance(double* state, const double* row, const double* controls, double* components) const override {
    return inner_.advance(state, row, controls, components);
  }
  void writeObs(const double* state, float* obs) const override { inner_.writeObs(state, obs); }
  void writeObs(const double* state, double* obs) const override { inner_.writeObs(state, obs); }
  double signal(int id, const double* state, std::int32_t step) const override {
    return inner_.signal(id, state, step);
  }
  int positionWord(int entity) const override { return inner_.positionWord(entity); }
  void writeMetrics(const double* state, std::int32_t steps, double* metrics) const override {
    inner_.writeMetrics(state, steps, metrics);
  }
  void describeFrame(const FrameMoment& moment, Frame& frame) const override {
    Scenario::describeFrame(moment, frame);
    Shape& shape = frame.shapes.back();
    switch (nonsense_) {
      case Nonsense::kPlace: shape.y = std::numeric_limits<double>::quiet_NaN(); break;
      case Nonsense::kExtent: shape.extentX = -1.0; break;
      case Nonsense::kLevel: shape.level = 1.5; break;
      case Nonsense::kEntity: shape.entity = 3; break;
      case Nonsense::kTeam: shape.team = 1; break;
      case Nonsense::kFlag: shape.flags = 1u << 20; break;
      case Nonsense::kHeading: shape.heading = std::numeric_limits<double>::infinity(); break;
      default: break;
    }
  }

 private:
  ProbeScenario inner_;
  Nonsense nonsense_;
};

Result<Frame> frameWith(Nonsense nonsense) {
  TestEnv env({.scenario = std::make_shared<OddScenario>(nonsense), .numEnvs = 1});
  return env.env->frame(0);
}

}  // namespace

TEST("a scenario that describes no frame is told of by its manifest") {
  const auto frame = frameWith(Nonsense::kNothing);
  CHECK(static_cast<bool>(frame));
  const Frame& told = frame.value();
  CHECK_EQ(told.shapes.size(), std::size_t{3});
  CHECK_EQ(told.shapes[0].role, std::string("landmark"));
  CHECK_EQ(told.shapes[0].entity, 2);
  CHECK_EQ(told.shapes[0].y, 4.0);
  const Shape* second = findShape(told, "agent", 1);
  CHECK(second != nullptr);
  CHECK_EQ(second->x, 3.0);
  CHECK_EQ(second->team, 0);
  CHECK(std::isnan(second->level));
}

TEST("what cannot be drawn is refused by name, and the copy goes on") {
  const std::pair<Nonsense, const char*> cases[] = {
      {Nonsense::kPlace, "no finite number"},   {Nonsense::kExtent, "below 0"},   {Nonsense::kLevel, "outside 0..1"},
      {Nonsense::kEntity, "of an entity"},      {Nonsense::kTeam, "of a group"},  {Nonsense::kFlag, "a flag"},
      {Nonsense::kHeading, "heading"}};
  for (const auto& [nonsense, reason] : cases) {
    const auto frame = frameWith(nonsense);
    CHECK(!frame);
    if (frame) continue;
    CHECK_EQ(frame.failure().code, std::string("sim.badFrame"));
    CHECK(frame.failure().message.find("scenario probe cannot be drawn: shape 2") == 0);
    CHECK(frame.failure().message.find(reason) != std::string::npos);
  }
}
