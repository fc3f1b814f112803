#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gymwright/manifest.hpp"
#include "gymwright/plain_frame.hpp"
#include "gymwright/rng.hpp"

namespace gymwright {

/// Where an attribute lives: word `base + stride * (index of the entity within its kind)` of the copy's state or of
/// its attribute row. The rule VM turns it into a strided gather over copies.
struct AttributeAddress {
  bool isInState;
  int base;
  int stride;
};

/// A layout that a caller prescribes: positions, and what else a scenario draws at the start of an episode, by name
/// ("goal", "key", "levels"), as the reference fixtures write it.
struct Placement {
  std::vector<std::array<double, 2>> agents;
  std::vector<std::array<double, 2>> landmarks;
  std::vector<std::pair<std::string, std::vector<double>>> values = {};

  /// The numbers of a name; null where the layout has none.
  const std::vector<double>* find(const std::string& name) const {
    for (const auto& [known, numbers] : values) {
      if (known == name) return &numbers;
    }
    return nullptr;
  }

  /// Copies the numbers of a name, which `meaning` explains where they are missing; returns what is wrong with them.
  /// Shape: out [count]
  std::optional<std::string> read(const std::string& name, std::size_t count, const std::string& meaning,
                                  double* out) const {
    const std::vector<double>* numbers = find(name);
    if (numbers == nullptr) return name + " is missing: " + meaning;
    if (numbers->size() != count)
      return name + " has " + std::to_string(numbers->size()) + " numbers, not " + std::to_string(count) + ": " +
             meaning;
    std::copy(numbers->begin(), numbers->end(), out);
    return std::nullopt;
  }

  /// The same for whole numbers in 0..end-1.
  std::optional<std::string> readIndices(const std::string& name, std::size_t count, int end,
                                         const std::string& meaning, double* out) const {
    if (auto problem = read(name, count, meaning, out)) return problem;
    const bool isInRange = std::all_of(out, out + count, [end](double x) { return x >= 0 && x < end && x == std::floor(x); });
    if (isInRange) return std::nullopt;
    return name + " must be in 0.." + std::to_string(end - 1) + ": " + meaning;
  }
};

/// A batched world's rules of play: immutable after construction, without a state of its own. A copy is `stateWords`
/// f64 words plus a row of `attributeWords` effective attributes for the step; all functions act on one copy.
/// Units: positions in metres, y up; time in simulation steps; velocities in m/s.
class Scenario {
 public:
  virtual ~Scenario() = default;

  const Manifest& manifest() const { return manifest_; }
  int stateWords() const { return stateWords_; }
  /// Values of the writable attributes when no rule changes them; one row of `attributeWords` words.
  std::span<const double> baseAttributes() const { return baseAttributes_; }
  int attributeWords() const { return static_cast<int>(baseAttributes_.size()); }
  /// Words in which an agent's action reaches `advance`: K.
  int controlWords() const { return controlWords_; }
  /// One address per manifest attribute.
  std::span<const AttributeAddress> addresses() const { return addresses_; }
  /// Word that holds a manifest attribute of a world entity that has it, in the state or in the row.
  std::size_t attributeWord(int attribute, int entity) const {
    const AttributeAddress address = addresses_[static_cast<std::size_t>(attribute)];
    const int index = entity < manifest_.numAgents ? entity : entity - manifest_.numAgents;
    return static_cast<std::size_t>(address.base + address.stride * index);
  }

  /// Draws the first state of an episode.
  /// Seeds: Stream::kReset, entity = world entity index, or a number of it that capacities do not shift; step 0.
  virtual void reset(double* state, const EpisodeRng& rng) const = 0;

  /// Lays a state out as told instead of drawing it; returns what is wrong with the placement, if anything. By default
  /// no layout can be prescribed.
  virtual std::optional<std::string> place(const Placement& /*placement*/, double* /*state*/) const {
    return "scenario " + manifest_.name + " takes no prescribed layouts";
  }

  /// Whether words of unknown origin are a state this scenario can step without leaving its arrays.
  virtual bool isValidState(const double* state) const = 0;

  /// Writes the controls of one discrete action. Shape: action 0..numActions-1 of the agent's group -> controls [K].
  virtual void decodeDiscrete(int agent, std::int32_t action, double* controls) const = 0;

  /// Writes the controls of one continuous action, clipped. Shape: action [continuousDim] -> controls [K].
  /// By default they are 0, for scenarios whose continuousDim is 0.
  virtual void decodeContinuous(int /*agent*/, const float* /*action*/, double* controls) const {
    std::fill_n(controls, controlWords_, 0.0);
  }

  /// Advances one step: controls and effective attributes to the next state, base components and metric sums.
  /// Shape: controls [A,K], components [A,Cb] (written in full). Returns whether the copy reached its goal and ends.
  virtual bool advance(double* state, const double* attributes, const double* controls, double* components) const = 0;

  /// Shape: obs [A,O], zero-padded behind narrower agents.
  virtual void writeObs(const double* state, float* obs) const = 0;
  virtual void writeObs(const double* state, double* obs) const = 0;

  /// Writes the global state from the copy's state and its obs [A,O]. Shape: out [S]. By default the agents'
  /// observations without padding, in agent order.
  virtual void writeState(const double* /*state*/, const float* obs, float* out) const {
    for (const Group& group : manifest_.groups) {
      const float* rows = obs + group.firstAgent * manifest_.obsDim;
      const int count = static_cast<int>(group.agents.size());
      if (group.obsDim == manifest_.obsDim) {
        out = std::copy_n(rows, count * group.obsDim, out);
        continue;
      }
      for (int i = 0; i < count; ++i) out = std::copy_n(rows + i * manifest_.obsDim, group.obsDim, out);
    }
  }

  /// Shape: [A,N] u8, 1 = legal. By default every action of the agent's group.
  virtual void writeAvailActions(const double* /*state*/, std::uint8_t* out) const {
    for (const Group& group : manifest_.groups) {
      for (std::size_t i = 0; i < group.agents.size(); ++i) {
        out = std::fill_n(out, group.numActions, std::uint8_t{1});
        out = std::fill_n(out, manifest_.numActions - group.numActions, std::uint8_t{0});
      }
    }
  }

  /// Which agents can act in the coming step: 1 for those that are alive and take part. Another agent keeps exactly one
  /// legal action, and what it does changes nothing. By default everybody can. Shape: [A] u8.
  virtual void writeActive(const double* /*state*/, std::uint8_t* out) const {
    std::fill_n(out, manifest_.numAgents, std::uint8_t{1});
  }

  /// Value of a manifest signal; `step` counts the steps the copy has taken in its episode.
  virtual double signal(int id, const double* state, std::int32_t step) const = 0;

  /// World entity that a dynamic set (index into manifest sets) denotes now.
  /// By default nobody, for scenarios without dynamic sets.
  virtual int member(int /*set*/, const double* /*state*/) const { return -1; }

  /// Value of manifest relation `id` from one world entity to another, both of the kinds that it names; 0 or 1 where it
  /// is boolean. `attributes` is the row that the asking part of the program sees.
  virtual double relation(int /*id*/, int /*from*/, int /*to*/, const double* /*state*/,
                          const double* /*attributes*/) const {
    return 0.0;
  }

  /// Makes manifest event `event` happen to a copy at the start of its step `step`: `amount` lies in the manifest's
  /// bounds (0 where it takes none), `entity` is what it is directed at or placed at, or -1 for nobody and for a place
  /// drawn at random.
  /// Seeds: Stream::kEvent, entity = `key`, which tells one cause of events from another.
  virtual void trigger(int /*event*/, double /*amount*/, int /*entity*/, std::uint32_t /*key*/,
                       const EpisodeRng& /*rng*/, std::int32_t /*step*/, double* /*state*/) const {}

  /// The discrete action with which `agent` does manifest behaviour `behaviour` towards a world entity (-1: nobody).
  /// `attributes` is the effective row of the step.
  /// Seeds: Stream::kScripted, entity = agent index, or likewise.
  virtual std::int32_t behave(int /*behaviour*/, int /*agent*/, int /*target*/, const double* /*state*/,
                              const double* /*attributes*/, const EpisodeRng& /*rng*/, std::int32_t /*step*/) const {
    return 0;
  }

  /// State word that holds the x coordinate of a world entity; y is the next one.
  virtual int positionWord(int entity) const = 0;

  /// Chooses actions of a scripted group. `policy` is an index into the group's `scripted` names, `attributes` the
  /// effective row of the step. Shape: actions [agents of the group].
  /// Seeds: Stream::kScripted, entity = agent index, or likewise.
  /// By default every agent takes action 0, for scenarios that name no policies.
  virtual void actScripted(int group, int /*policy*/, const double* /*state*/, const double* /*attributes*/,
                           const EpisodeRng& /*rng*/, std::int32_t /*step*/, std::int32_t* actions) const {
    std::fill_n(actions, manifest_.groups[static_cast<std::size_t>(group)].agents.size(), 0);
  }

  /// Episode metrics from the sums kept in the state after `steps` steps. Shape: metrics [A,M].
  virtual void writeMetrics(const double* state, std::int32_t steps, double* metrics) const = 0;

  /// What of the world a picture shows. By default where the manifest says that x and y lie.
  virtual FrameBox frameBox() const { return plainBox(manifest_); }

  /// Tells what a copy looks like: adds shapes to a frame whose box is set, in the order in which they are drawn. Who is
  /// absent has none, who is dead is marked so. Asked only when somebody looks; draws nothing at random.
  /// By default what the manifest gives away: see PlainFrame.
  virtual void describeFrame(const FrameMoment& moment, Frame& frame) const {
    PlainFrame<Scenario>(*this, moment, frame).describe();
  }

 protected:
  Scenario() = default;

  Manifest manifest_;
  int stateWords_ = 0;
  int controlWords_ = 2;  ///< a move in the plane; more for who also speaks, aims, ...
  std::vector<double> baseAttributes_;
  std::vector<AttributeAddress> addresses_;
};

}  // namespace gymwright
