#include "vm/machine.hpp"

#include <cassert>
#include <cmath>
#include <utility>

namespace gymwright {
namespace {

// The loops run over all kLanes lanes so that their length is known; lanes beyond the view hold stale but harmless
// values. The pragma tells the compiler that dst may equal a source but never overlaps one otherwise.
#if defined(__clang__)
#define GYMWRIGHT_INDEPENDENT_LANES _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define GYMWRIGHT_INDEPENDENT_LANES _Pragma("GCC ivdep")
#else
#define GYMWRIGHT_INDEPENDENT_LANES
#endif

template <typename F>
inline void map(Lanes& dst, const Lanes& x, F f) {
  double* d = dst.data();
  const double* a = x.data();
  GYMWRIGHT_INDEPENDENT_LANES
  for (int l = 0; l < kLanes; ++l) d[l] = f(a[l]);
}

template <typename F>
inline void map(Lanes& dst, const Lanes& x, const Lanes& y, F f) {
  double* d = dst.data();
  const double* a = x.data();
  const double* b = y.data();
  GYMWRIGHT_INDEPENDENT_LANES
  for (int l = 0; l < kLanes; ++l) d[l] = f(a[l], b[l]);
}

template <typename F>
inline void map(Lanes& dst, const Lanes& x, const Lanes& y, const Lanes& z, F f) {
  double* d = dst.data();
  const double* a = x.data();
  const double* b = y.data();
  const double* c = z.data();
  GYMWRIGHT_INDEPENDENT_LANES
  for (int l = 0; l < kLanes; ++l) d[l] = f(a[l], b[l], c[l]);
}

template <typename F>
inline void forEachState(Lanes& dst, const LaneView& view, F read) {
  for (int l = 0; l < view.count; ++l) {
    dst[static_cast<std::size_t>(l)] = read(view.states + static_cast<std::size_t>(l) * view.stateStride, l);
  }
}

constexpr double kMaxFinite = std::numeric_limits<double>::max();

/// Index of an entity of the given range from a lane value, or -1.
int entityIndex(double value, int first, int count) {
  const double offset = value - first;
  if (!(offset >= 0.0 && offset < count) || offset != std::floor(offset)) return -1;
  return static_cast<int>(offset);
}

}  // namespace

Machine::Machine(const Program& program, const Scenario& scenario)
    : program_(program), scenario_(scenario), numAgents_(scenario.manifest().numAgents) {
  for (int e = 0; e < scenario.manifest().numEntities(); ++e) positionWords_.push_back(scenario.positionWord(e));
  registers_.assign(static_cast<std::size_t>(program.numRegisters), Lanes{});
  folds_.resize(program.slots.size());
  gives_.assign(program.components.size() * static_cast<std::size_t>(numAgents_), Lanes{});
  fireCounts_.assign(program.declarations.size(), 0.0);
}

std::vector<double> Machine::takeFireCounts() {
  return std::exchange(fireCounts_, std::vector<double>(fireCounts_.size(), 0.0));
}

void Machine::runRules(const LaneView& view, double* attributes, LaneTraps& traps) {
  for (Fold& f : folds_) {
    f.isSet.fill(0.0);
    f.value.fill(0.0);
    f.product.fill(1.0);
    f.sum.fill(0.0);
  }
  run(Section::kRules, view, traps);
  fold(view, attributes, traps);
}

void Machine::runRewards(const LaneView& view, LaneTraps& traps) {
  for (Lanes& g : gives_) g.fill(0.0);
  run(Section::kRewards, view, traps);
  for (int l = 0; l < view.count; ++l) {
    if (traps.reason[static_cast<std::size_t>(l)] == TrapReason::kNone) continue;
    for (Lanes& g : gives_) g[static_cast<std::size_t>(l)] = 0.0;
  }
}

void Machine::run(Section which, const LaneView& view, LaneTraps& traps) {
  const ProgramSection& section = program_.section(which);
  for (std::size_t pc = 0; pc < section.code.size(); ++pc)
    execute(section.code[pc], section.declarations[pc], view, traps);
}

void Machine::execute(const Instruction& i, int declaration, const LaneView& view, LaneTraps& traps) {
  switch (i.op) {
    case Opcode::DECL: causes_.fill(TrapReason::kNone); return;
    case Opcode::CONST: reg(i.dst).fill(program_.constants[static_cast<std::size_t>(i.a)]); return;
    case Opcode::LOAD: load(reg(i.dst), view, i.a, i.b); return;
    case Opcode::LOADX: loadIndexed(reg(i.dst), view, i.a, reg(i.b)); return;
    case Opcode::SIGNAL: {
      const auto read = [&](const double* state, int l) { return scenario_.signal(i.a, state, view.steps[l]); };
      return forEachState(reg(i.dst), view, read);
    }
    case Opcode::MEMBER: {
      const auto read = [&](const double* state, int) { return static_cast<double>(scenario_.member(i.a, state)); };
      return forEachState(reg(i.dst), view, read);
    }
    case Opcode::ADD: map(reg(i.dst), reg(i.a), reg(i.b), [](double x, double y) { return x + y; }); return;
    case Opcode::SUB: map(reg(i.dst), reg(i.a), reg(i.b), [](double x, double y) { return x - y; }); return;
    case Opcode::MUL: map(reg(i.dst), reg(i.a), reg(i.b), [](double x, double y) { return x * y; }); return;
    case Opcode::DIV: divide(reg(i.dst), reg(i.a), reg(i.b)); return;
    case Opcode::MOD: map(reg(i.dst), reg(i.a), reg(i.b), lane::modulo); return;
    case Opcode::MIN: map(reg(i.dst), reg(i.a), reg(i.b), lane::minimum); return;
    case Opcode::MAX: map(reg(i.dst), reg(i.a), reg(i.b), lane::maximum); return;
    case Opcode::NEG: map(reg(i.dst), reg(i.a), [](double x) { return -x; }); return;
    case Opcode::ABS: map(reg(i.dst), reg(i.a), [](double x) { return std::fabs(x); }); return;
    case Opcode::SQRT: squareRoot(reg(i.dst), reg(i.a)); return;
    case Opcode::DIST: distance(reg(i.dst), view, i.a, i.b); return;
    case Opcode::DISTX: distanceIndexed(reg(i.dst), view, i.a, reg(i.b)); return;
    case Opcode::LT: map(reg(i.dst), reg(i.a), reg(i.b), lane::less); return;
    case Opcode::LE: map(reg(i.dst), reg(i.a), reg(i.b), lane::lessOrEqual); return;
    case Opcode::EQ: map(reg(i.dst), reg(i.a), reg(i.b), lane::equal); return;
    case Opcode::AND: map(reg(i.dst), reg(i.a), reg(i.b), lane::conjunction); return;
    case Opcode::OR: map(reg(i.dst), reg(i.a), reg(i.b), lane::disjunction); return;
    case Opcode::NOT: map(reg(i.dst), reg(i.a), lane::negation); return;
    case Opcode::SELECT: map(reg(i.dst), reg(i.a), reg(i.b), reg(i.c), lane::select); return;
    case Opcode::SET:
    case Opcode::SCALE:
    case Opcode::SHIFT: return collectEffect(i, declaration, view.count, traps);
    case Opcode::GIVE: {
      Lanes& g = gives_[static_cast<std::size_t>(i.dst * numAgents_ + i.a)];
      trapBeyond(kMaxGive, reg(i.c), reg(i.b), declaration, view.count, traps);
      map(g, g, reg(i.b), reg(i.c), lane::addWhere);
      return;
    }
    case Opcode::FIRED: {
      trapUndefined(reg(i.a), declaration, view.count, traps);
      const Lanes& condition = reg(i.a);
      int fired = 0;
      for (int l = 0; l < view.count; ++l) fired += lane::holds(condition[static_cast<std::size_t>(l)]) ? 1 : 0;
      fireCounts_[static_cast<std::size_t>(i.dst)] += fired;
      return;
    }
    default: break;
  }
  assert(false && "not executed yet");
}

void Machine::collectEffect(const Instruction& i, int declaration, int count, LaneTraps& traps) {
  Fold& f = folds_[static_cast<std::size_t>(i.dst)];
  const Lanes& value = reg(i.b);
  const Lanes& condition = reg(i.c);
  trapBeyond(kMaxFinite, condition, value, declaration, count, traps);
  switch (i.op) {
    case Opcode::SET:
      map(f.value, f.value, value, condition, lane::setWhere);
      map(f.isSet, f.isSet, condition, [](double s, double c) { return lane::holds(c) ? 1.0 : s; });
      return;
    case Opcode::SCALE: map(f.product, f.product, value, condition, lane::scaleWhere); return;
    default: map(f.sum, f.sum, value, condition, lane::addWhere); return;
  }
}

void Machine::load(Lanes& dst, const LaneView& view, int attribute, int entity) const {
  const AttributeAddress address = scenario_.addresses()[static_cast<std::size_t>(attribute)];
  const int index = entity < numAgents_ ? entity : entity - numAgents_;
  const double* source = (address.isInState ? view.states : view.attributes) + address.base + address.stride * index;
  const std::size_t stride = address.isInState ? view.stateStride : view.attributeStride;
  for (int l = 0; l < view.count; ++l) dst[static_cast<std::size_t>(l)] = source[static_cast<std::size_t>(l) * stride];
}

void Machine::loadIndexed(Lanes& dst, const LaneView& view, int attribute, const Lanes& entities) {
  const bool isAgent = scenario_.manifest().attributes[static_cast<std::size_t>(attribute)].kind == EntityKind::kAgent;
  const int first = isAgent ? 0 : numAgents_;
  const int count = isAgent ? numAgents_ : scenario_.manifest().numLandmarks;
  const AttributeAddress address = scenario_.addresses()[static_cast<std::size_t>(attribute)];
  const double* source = (address.isInState ? view.states : view.attributes) + address.base;
  const std::size_t stride = address.isInState ? view.stateStride : view.attributeStride;
  for (int l = 0; l < view.count; ++l) {
    const auto i = static_cast<std::size_t>(l);
    const int index = entityIndex(entities[i], first, count);
    if (index < 0) noteCause(l, TrapReason::kDomain);
    dst[i] = index < 0 ? kUndefined : source[i * stride + static_cast<std::size_t>(address.stride * index)];
  }
}

void Machine::distance(Lanes& dst, const LaneView& view, int a, int b) const {
  const double* pa = view.states + positionWords_[static_cast<std::size_t>(a)];
  const double* pb = view.states + positionWords_[static_cast<std::size_t>(b)];
  for (std::size_t l = 0; l < static_cast<std::size_t>(view.count); ++l) {
    const double dx = pa[l * view.stateStride] - pb[l * view.stateStride];
    const double dy = pa[l * view.stateStride + 1] - pb[l * view.stateStride + 1];
    dst[l] = std::sqrt(dx * dx + dy * dy);
  }
}

void Machine::distanceIndexed(Lanes& dst, const LaneView& view, int a, const Lanes& entities) {
  const int numEntities = static_cast<int>(positionWords_.size());
  for (std::size_t l = 0; l < static_cast<std::size_t>(view.count); ++l) {
    const int other = entityIndex(entities[l], 0, numEntities);
    if (other < 0) {
      noteCause(static_cast<int>(l), TrapReason::kDomain);
      dst[l] = kUndefined;
      continue;
    }
    const double* state = view.states + l * view.stateStride;
    const double* pa = state + positionWords_[static_cast<std::size_t>(a)];
    const double* pb = state + positionWords_[static_cast<std::size_t>(other)];
    const double dx = pa[0] - pb[0];
    const double dy = pa[1] - pb[1];
    dst[l] = std::sqrt(dx * dx + dy * dy);
  }
}

void Machine::divide(Lanes& dst, const Lanes& x, const Lanes& y) {
  int zeros = 0;
  for (int l = 0; l < kLanes; ++l) zeros += y[static_cast<std::size_t>(l)] == 0.0 ? 1 : 0;
  for (int l = 0; zeros > 0 && l < kLanes; ++l) {
    if (y[static_cast<std::size_t>(l)] == 0.0) noteCause(l, TrapReason::kDivision);
  }
  map(dst, x, y, lane::divide);
}

void Machine::squareRoot(Lanes& dst, const Lanes& x) {
  int negatives = 0;
  for (int l = 0; l < kLanes; ++l) negatives += x[static_cast<std::size_t>(l)] < 0.0 ? 1 : 0;
  for (int l = 0; negatives > 0 && l < kLanes; ++l) {
    if (x[static_cast<std::size_t>(l)] < 0.0) noteCause(l, TrapReason::kDomain);
  }
  map(dst, x, [](double v) { return v < 0.0 ? kUndefined : std::sqrt(v); });
}

void Machine::noteCause(int lane, TrapReason reason) {
  TrapReason& cause = causes_[static_cast<std::size_t>(lane)];
  if (cause == TrapReason::kNone) cause = reason;
}

void Machine::trapUndefined(const Lanes& condition, int declaration, int count, LaneTraps& traps) const {
  int undefined = 0;
  for (const double c : condition) undefined += std::isnan(c) ? 1 : 0;
  if (undefined == 0) return;
  for (std::size_t l = 0; l < static_cast<std::size_t>(count); ++l) {
    if (std::isnan(condition[l])) trap(l, declaration, traps);
  }
}

void Machine::trapBeyond(double bound, const Lanes& condition, const Lanes& value, int declaration, int count,
                         LaneTraps& traps) const {
  trapUndefined(condition, declaration, count, traps);
  int beyond = 0;
  for (const double v : value) beyond += std::fabs(v) <= bound ? 0 : 1;
  if (beyond == 0) return;
  for (std::size_t l = 0; l < static_cast<std::size_t>(count); ++l) {
    if (lane::holds(condition[l]) && !(std::fabs(value[l]) <= bound)) trap(l, declaration, traps);
  }
}

void Machine::trap(std::size_t lane, int declaration, LaneTraps& traps) const {
  if (traps.reason[lane] != TrapReason::kNone) return;
  traps.reason[lane] = causes_[lane] == TrapReason::kNone ? TrapReason::kNonfinite : causes_[lane];
  traps.declaration[lane] = declaration;
}

void Machine::fold(const LaneView& view, double* attributes, const LaneTraps& traps) {
  for (std::size_t s = 0; s < folds_.size(); ++s) {
    const EffectSlot slot = program_.slots[s];
    const Attribute& attribute = scenario_.manifest().attributes[static_cast<std::size_t>(slot.attribute)];
    const AttributeAddress address = scenario_.addresses()[static_cast<std::size_t>(slot.attribute)];
    const int index = slot.entity < numAgents_ ? slot.entity : slot.entity - numAgents_;
    double* target = attributes + address.base + address.stride * index;
    const Fold& f = folds_[s];
    for (std::size_t l = 0; l < static_cast<std::size_t>(view.count); ++l) {
      double& cell = target[l * view.attributeStride];
      const double value = (lane::holds(f.isSet[l]) ? f.value[l] : cell) * f.product[l] + f.sum[l];
      if (traps.reason[l] != TrapReason::kNone || std::isnan(value)) continue;
      cell = std::min(std::max(value, attribute.min), attribute.max);
    }
  }
}

}  // namespace gymwright
