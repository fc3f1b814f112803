#include "frame_object.hpp"

#include <map>
#include <string>
#include <vector>

#include "arguments.hpp"

namespace gymwright::addon {
namespace {

/// Texts of a frame, each once.
class TextTable {
 public:
  /// Index of a text; -1 where it is empty.
  std::int16_t add(const std::string& text) {
    if (text.empty()) return -1;
    const auto [entry, isNew] = indices_.emplace(text, static_cast<std::int16_t>(texts_.size()));
    if (isNew) texts_.push_back(text);
    return entry->second;
  }

  Napi::Array toArray(Napi::Env env) const {
    Napi::Array list = Napi::Array::New(env, texts_.size());
    for (std::uint32_t i = 0; i < texts_.size(); ++i) list.Set(i, texts_[i]);
    return list;
  }

 private:
  std::map<std::string, std::int16_t> indices_;
  std::vector<std::string> texts_;
};

template <typename Array, typename... Values>
void put(Array& array, std::size_t& next, Values... values) {
  ((array[next++] = static_cast<typename Array::value_type>(values)), ...);
}

}  // namespace

FrameDetail toFrameDetail(const Napi::Value& value, const std::string& name) {
  const Napi::Object detail = toObject(value, name);
  return {toBoolean(detail.Get("ranges"), name + ".ranges"), toBoolean(detail.Get("sights"), name + ".sights")};
}

Napi::Object toFrameObject(Napi::Env env, const Frame& frame) {
  constexpr std::size_t kPerShape = 6;
  std::vector<float> numbers(kPerShape * frame.shapes.size());
  std::vector<std::int16_t> codes(kPerShape * frame.shapes.size());
  TextTable texts;
  std::size_t nextNumber = 0;
  std::size_t nextCode = 0;
  for (const Shape& s : frame.shapes) {
    put(numbers, nextNumber, s.x, s.y, s.extentX, s.extentY, s.heading, s.level);
    // Three bits of kind, then the flags.
    const auto kind = static_cast<std::uint32_t>(s.kind) | s.flags << 3;
    put(codes, nextCode, kind, s.entity, s.target, s.team, texts.add(s.role), texts.add(s.text));
  }
  auto numberArray = Napi::Float32Array::New(env, numbers.size());
  std::copy(numbers.begin(), numbers.end(), numberArray.Data());
  auto codeArray = Napi::Int16Array::New(env, codes.size());
  std::copy(codes.begin(), codes.end(), codeArray.Data());
  const FrameBox& box = frame.box;
  Napi::Object boxObject = Napi::Object::New(env);
  boxObject.Set("left", box.left);
  boxObject.Set("bottom", box.bottom);
  boxObject.Set("right", box.right);
  boxObject.Set("top", box.top);
  boxObject.Set("cell", box.cell);
  Napi::Object out = Napi::Object::New(env);
  out.Set("episode", static_cast<double>(frame.episode));
  out.Set("step", frame.step);
  out.Set("regime", frame.regime);
  out.Set("box", boxObject);
  out.Set("status", frame.status);
  out.Set("numbers", numberArray);
  out.Set("codes", codeArray);
  out.Set("texts", texts.toArray(env));
  return out;
}

}  // namespace gymwright::addon
