// What has to hold for every scenario of the catalogue, whatever it is about, by default and at the bounds of each
// parameter: a scenario that is added is tested here without a line of its own.
#include <algorithm>
#include <cmath>

#include "check.hpp"
#include "gymwright/catalogue.hpp"
#include "test_env.hpp"

using namespace gymwright;
using namespace gymwright::test;

namespace {

constexpr int kSteps = 40;

/// A buffer with words behind it that nobody may touch.
template <typename T>
class Guarded {
 public:
  explicit Guarded(int size) : size_(static_cast<std::size_t>(size)), words_(size_ + kGuards, kGuard) {}
  T* data() { return words_.data(); }
  T operator[](int i) const { return words_[static_cast<std::size_t>(i)]; }
  bool isIntact() const { return std::count(words_.end() - kGuards, words_.end(), kGuard) == kGuards; }
  /// Index of the first word that is not finite, or was not written; -1: none.
  int firstBad() const {
    for (std::size_t i = 0; i < size_; ++i) {
      if (words_[i] == kGuard || !std::isfinite(static_cast<double>(words_[i]))) return static_cast<int>(i);
    }
    return -1;
  }
  void clear() { std::fill(words_.begin(), words_.end(), kGuard); }

 private:
  static constexpr T kGuard = static_cast<T>(93.0625);
  static constexpr int kGuards = 64;
  std::size_t size_;
  std::vector<T> words_;
};

/// Plays one scenario by hand and says the first thing that does not hold.
class Inspection {
 public:
  Inspection(const Scenario& scenario, std::string where)
      : s_(scenario),
        m_(scenario.manifest()),
        where_(std::move(where)),
        state_(scenario.stateWords()),
        controls_(m_.numAgents * scenario.controlWords()),
        components_(m_.numAgents * static_cast<int>(m_.components.size())),
        obs_(m_.numAgents * m_.obsDim),
        wide_(m_.numAgents * m_.obsDim),
        out_(m_.stateDim),
        mask_(m_.numAgents * m_.numActions),
        metrics_(m_.numAgents * static_cast<int>(m_.metrics.size())),
        actions_(static_cast<std::size_t>(m_.numAgents)) {}

  void run() {
    for (std::uint64_t episode = 0; episode < 3 && problem_.empty(); ++episode) {
      rng_ = EpisodeRng(11, episode);
      s_.reset(state_.data(), rng_);
      step_ = 0;
      look();
      bool isOver = false;
      while (problem_.empty() && !isOver && step_ < std::min(kSteps, m_.episodeLength)) {
        happen();
        act(static_cast<int>(episode));
        isOver = s_.advance(state_.data(), s_.baseAttributes().data(), controls_.data(), components_.data());
        ++step_;
        look();
        judge();
      }
    }
    if (!problem_.empty()) fail(__FILE__, __LINE__, where_, " at step ", step_, ": ", problem_);
  }

 private:
  template <typename... Parts>
  void found(const Parts&... parts) {
    if (!problem_.empty()) return;
    std::ostringstream text;
    (text << ... << parts);
    problem_ = text.str();
  }

  template <typename T>
  void expectWritten(const char* what, const Guarded<T>& words) {
    if (!words.isIntact()) found(what, " writes behind its end");
    if (const int bad = words.firstBad(); bad >= 0) found(what, " leaves word ", bad, " unwritten or not finite");
  }

  /// What can be seen of a state.
  void look() {
    obs_.clear();
    wide_.clear();
    out_.clear();
    s_.writeObs(state_.data(), obs_.data());
    s_.writeObs(state_.data(), wide_.data());
    s_.writeState(state_.data(), obs_.data(), out_.data());
    s_.writeAvailActions(state_.data(), mask_.data());
    expectWritten("the state", state_);
    expectWritten("writeObs", obs_);
    expectWritten("writeObs as f64", wide_);
    expectWritten("writeState", out_);
    if (!mask_.isIntact()) found("writeAvailActions writes behind its end");
    for (int i = 0; i < m_.numAgents * m_.obsDim; ++i) {
      if (obs_[i] != static_cast<float>(wide_[i])) found("number ", i, " of the observations is another as f64");
    }
    if (!s_.isValidState(state_.data())) found("a state of its own is none to isValidState");
    for (const Group& group : m_.groups) {
      for (std::size_t i = 0; i < group.agents.size(); ++i) lookAtAgent(group, group.firstAgent + static_cast<int>(i));
    }
    readAll();
  }

  void lookAtAgent(const Group& group, int a) {
    int legal = 0;
    for (int n = 0; n < m_.numActions; ++n) {
      const int bit = mask_[a * m_.numActions + n];
      if (bit > 1 || (bit == 1 && n >= group.numActions)) found(group.agents[0], ": action ", n, " is none of its own");
      legal += bit;
    }
    if (legal == 0) found("agent ", a, " has no legal action");
    for (int i = group.obsDim; i < m_.obsDim; ++i) {
      if (obs_[a * m_.obsDim + i] != 0.0f) found("the padding behind agent ", a, " is not 0");
    }
  }

  /// Everything that an expression can read.
  void readAll() {
    for (std::size_t id = 0; id < m_.signals.size(); ++id) {
      const double value = s_.signal(static_cast<int>(id), state_.data(), step_);
      if (!(value >= m_.signals[id].min && value <= m_.signals[id].max))
        found("signal ", m_.signals[id].name, " is ", value);
    }
    for (std::size_t id = 0; id < m_.attributes.size(); ++id) {
      const Attribute& attribute = m_.attributes[id];
      for (int e = 0; e < m_.numEntities(); ++e) {
        if (!s_.addresses()[id].isInState || attribute.isNominal || !m_.applies(attribute, e)) continue;
        const double value = state_[static_cast<int>(s_.attributeWord(static_cast<int>(id), e))];
        if (!(value >= attribute.min - 1e-9 && value <= attribute.max + 1e-9))
          found("attribute ", attribute.name, " of entity ", e, " is ", value);
      }
    }
    for (std::size_t set = 0; set < m_.sets.size(); ++set) {
      if (!m_.sets[set].isDynamic) continue;
      const auto& known = m_.sets[set].entities;
      const int member = s_.member(static_cast<int>(set), state_.data());
      if (std::find(known.begin(), known.end(), member) == known.end() && member != -1)
        found("member ", member, " of set ", m_.sets[set].name, " is none of its candidates");
    }
    if (step_ % 8 != 0) return;
    for (std::size_t id = 0; id < m_.relations.size(); ++id) relateAll(static_cast<int>(id));
  }

  void relateAll(int id) {
    const Relation& relation = m_.relations[static_cast<std::size_t>(id)];
    for (int from = 0; from < m_.numEntities(); ++from) {
      for (int to = 0; to < m_.numEntities(); ++to) {
        if (m_.kindOf(from) != relation.from || (relation.to && m_.kindOf(to) != *relation.to)) continue;
        const double value = s_.relation(id, from, to, state_.data(), s_.baseAttributes().data());
        if (!std::isfinite(value) || (relation.isBoolean && value != 0.0 && value != 1.0))
          found("relation ", relation.name, " from ", from, " to ", to, " is ", value);
      }
    }
  }

  /// One event of every kind, at the bounds of its amount, at somebody else in each step.
  void happen() {
    for (std::size_t id = 0; id < m_.events.size(); ++id) {
      const Event& event = m_.events[id];
      const int target = step_ % (m_.numEntities() + 1) - 1;
      if (step_ % 4 != static_cast<int>(id % 4) || !m_.accepts(event, target)) continue;
      const double amount = !event.amount ? 0.0 : (step_ % 8 < 4 ? event.amount->max : event.amount->min);
      s_.trigger(static_cast<int>(id), amount, target, 5, rng_, step_, state_.data());
    }
    if (!s_.isValidState(state_.data())) found("after an event its state is none to isValidState");
  }

  /// Behaviours, scripted policies and legal actions by turns.
  void act(int episode) {
    for (std::size_t g = 0; g < m_.groups.size(); ++g) {
      const Group& group = m_.groups[g];
      const int first = group.firstAgent;
      const int count = static_cast<int>(group.agents.size());
      const auto numPolicies = static_cast<int>(group.scripted.size());
      if (episode == 1 && numPolicies > 0) {
        s_.actScripted(static_cast<int>(g), step_ / 8 % numPolicies, state_.data(), s_.baseAttributes().data(), rng_,
                       step_, actions_.data() + first);
      }
      for (int a = first; a < first + count; ++a) {
        std::int32_t& action = actions_[static_cast<std::size_t>(a)];
        if (episode == 0 || (episode == 1 && numPolicies == 0)) action = drawLegal(a);
        if (episode == 2) action = behave(a);
        if (action < 0 || action >= group.numActions)
          return found("agent ", a, " of ", group.name, " is made to do action ", action);
        s_.decodeDiscrete(a, action, controls_.data() + a * s_.controlWords());
      }
    }
    if (!controls_.isIntact()) found("decodeDiscrete writes behind its end");
    if (const int bad = controls_.firstBad(); bad >= 0) found("control ", bad, " is unwritten or not finite");
  }

  std::int32_t drawLegal(int a) {
    const auto agent = static_cast<std::uint32_t>(a);
    const auto step = static_cast<std::uint32_t>(step_);
    for (std::uint32_t attempt = 0;; ++attempt) {
      const auto action = static_cast<std::int32_t>(
          rng_.below(Stream::kProgram, step, agent, attempt, static_cast<std::uint32_t>(m_.numActions)));
      if (mask_[a * m_.numActions + action] == 1) return action;
    }
  }

  std::int32_t behave(int a) {
    if (m_.behaviours.empty()) return drawLegal(a);
    const int id = (step_ + a) % static_cast<int>(m_.behaviours.size());
    const int target = (step_ * 7 + a) % (m_.numEntities() + 1) - 1;
    const bool isFit = m_.isTarget(m_.behaviours[static_cast<std::size_t>(id)].target, target);
    return s_.behave(id, a, isFit ? target : -1, state_.data(), s_.baseAttributes().data(), rng_, step_);
  }

  void judge() {
    expectWritten("the base reward", components_);
    s_.writeMetrics(state_.data(), step_, metrics_.data());
    if (!metrics_.isIntact()) found("writeMetrics writes behind its end");
    const int width = static_cast<int>(m_.metrics.size());
    for (int i = 0; i < m_.numAgents * width; ++i) {
      const Metric& metric = m_.metrics[static_cast<std::size_t>(i % width)];
      const double value = metrics_[i];
      const double room = 1e-9 * std::max(1.0, std::max(std::fabs(metric.min), std::fabs(metric.max)));
      if (value < metric.min - room || value > metric.max + room) found("metric ", metric.name, " is ", value);
    }
    components_.clear();
    controls_.clear();
    metrics_.clear();
  }

  const Scenario& s_;
  const Manifest& m_;
  std::string where_;
  Guarded<double> state_;
  Guarded<double> controls_;
  Guarded<double> components_;
  Guarded<float> obs_;
  Guarded<double> wide_;
  Guarded<float> out_;
  Guarded<std::uint8_t> mask_;
  Guarded<double> metrics_;
  std::vector<std::int32_t> actions_;
  EpisodeRng rng_{11, 0};
  std::int32_t step_ = 0;
  std::string problem_;
};

}  // namespace

TEST("every scenario keeps to its buffers, its bounds and its agents' actions, whatever happens in it") {
  for (const std::string& name : scenarioNames()) {
    const auto usual = scenarioOf(name);
    Inspection(*usual, name).run();
    for (const Parameter& parameter : usual->manifest().parameters) {
      for (const double value : {parameter.min, parameter.max}) {
        const auto made = makeScenario(name, {{parameter.name, value}});
        if (!made) continue;  // some bounds go together with others only
        std::ostringstream where;
        where << name << " with " << parameter.name << " = " << value;
        Inspection(*made.value(), where.str()).run();
      }
    }
  }
}
