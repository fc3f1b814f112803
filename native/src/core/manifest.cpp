#include "gymwright/manifest.hpp"

#include <cstddef>

#include "core/json_writer.hpp"

namespace gymwright {
namespace {

const char* kindName(EntityKind kind) { return kind == EntityKind::kAgent ? "agent" : "landmark"; }

const char* kindName(TargetKind kind) {
  switch (kind) {
    case TargetKind::kAgent: return "agent";
    case TargetKind::kLandmark: return "landmark";
    case TargetKind::kAny: return "any";
    default: return "none";
  }
}

void writeLive(JsonWriter& json, const std::optional<LiveSetting>& live) {
  json.key("live");
  if (!live) {
    json.null();
    return;
  }
  json.beginObject().field("attribute", live->attribute).field("set", live->set).field("mode", live->mode);
  json.endObject();
}

void write(JsonWriter& json, const Parameter& p) {
  json.beginObject().field("name", p.name).field("kind", p.kind).field("unit", p.unit);
  json.field("default", p.defaultValue).field("min", p.min).field("max", p.max);
  json.field("structural", p.isStructural).field("coach", p.isForCoach).field("doc", p.doc);
  writeLive(json, p.live);
  json.field("choices", p.choices).key("playedBy");
  if (p.playedBy) {
    json.beginObject().field("group", p.playedBy->group).field("policy", p.playedBy->policy).endObject();
  } else {
    json.null();
  }
  json.key("awaits");
  p.awaits.empty() ? json.null() : json.text(p.awaits);
  json.key("reach");
  p.reach ? json.number(*p.reach) : json.null();
  json.key("standsFor");
  p.standsFor ? json.number(*p.standsFor) : json.null();
  json.endObject();
}

void write(JsonWriter& json, const Group& g) {
  json.beginObject().field("name", g.name).field("agents", g.agents).field("firstAgent", g.firstAgent);
  json.field("obsDim", g.obsDim).field("numActions", g.numActions).field("actionNames", g.actionNames);
  json.field("continuousDim", g.continuousDim).field("scripted", g.scripted).key("defaultScripted");
  g.defaultScripted.empty() ? json.null() : json.text(g.defaultScripted);
  json.endObject();
}

void write(JsonWriter& json, const EntitySet& s) {
  json.beginObject().field("name", s.name).field("kind", kindName(s.kind)).field("entities", s.entities);
  json.field("dynamic", s.isDynamic).field("doc", s.doc).endObject();
}

void write(JsonWriter& json, const Component& c) {
  json.beginObject().field("name", c.name).field("doc", c.doc).endObject();
}

void write(JsonWriter& json, const Metric& m) {
  json.beginObject().field("name", m.name).field("unit", m.unit).field("perAgent", m.isPerAgent);
  json.field("better", m.better).field("min", m.min).field("max", m.max).field("doc", m.doc).endObject();
}

void write(JsonWriter& json, const Attribute& a, int id) {
  json.beginObject().field("name", a.name).field("kind", kindName(a.kind)).field("id", id).field("unit", a.unit);
  json.field("min", a.min).field("max", a.max).field("writable", a.isWritable).field("doc", a.doc);
  json.field("of", a.of).field("nominal", a.isNominal).endObject();
}

void write(JsonWriter& json, const Signal& s, int id) {
  json.beginObject().field("name", s.name).field("id", id).field("unit", s.unit);
  json.field("min", s.min).field("max", s.max).field("doc", s.doc).endObject();
}

void write(JsonWriter& json, const Relation& r, int id) {
  json.beginObject().field("name", r.name).field("id", id).field("kind", r.isBoolean ? "boolean" : "number");
  json.field("from", kindName(r.from)).field("to", r.to ? kindName(*r.to) : "any");
  json.field("unit", r.unit).field("doc", r.doc).field("towards", r.towards).endObject();
}

void write(JsonWriter& json, const Event& e, int id) {
  json.beginObject().field("name", e.name).field("id", id).field("verb", e.verb).field("target", kindName(e.target));
  json.field("placed", e.isPlaced).key("amount");
  if (e.amount) {
    json.beginObject().field("unit", e.amount->unit).field("min", e.amount->min).field("max", e.amount->max);
    json.field("default", e.amount->defaultValue).endObject();
  } else {
    json.null();
  }
  json.field("doc", e.doc).endObject();
}

void write(JsonWriter& json, const Behaviour& b, int id) {
  json.beginObject().field("name", b.name).field("id", id).field("target", kindName(b.target));
  json.field("doc", b.doc).endObject();
}

void write(JsonWriter& json, const Capacity& c) {
  json.beginObject().field("set", c.set).field("count", c.count).field("capacity", c.capacity).endObject();
}

void writePresence(JsonWriter& json, const Presence& presence) {
  const auto name = [&json](const char* key, const std::string& attribute) {
    json.key(key);
    attribute.empty() ? json.null() : json.text(attribute);
  };
  json.key("presence").beginObject();
  name("agent", presence.agent);
  name("landmark", presence.landmark);
  json.endObject();
}

template <typename T>
void writeList(JsonWriter& json, const char* name, const std::vector<T>& items) {
  json.key(name).beginArray();
  for (const T& item : items) write(json, item);
  json.endArray();
}

template <typename T>
void writeNumbered(JsonWriter& json, const char* name, const std::vector<T>& items) {
  json.key(name).beginArray();
  for (std::size_t id = 0; id < items.size(); ++id) write(json, items[id], static_cast<int>(id));
  json.endArray();
}

}  // namespace

std::string toJson(const Manifest& m) {
  JsonWriter json;
  json.beginObject().field("name", m.name).field("version", m.version).field("title", m.title).field("doc", m.doc);
  json.field("numAgents", m.numAgents).field("obsDim", m.obsDim).field("stateDim", m.stateDim);
  json.field("numActions", m.numActions).field("continuousDim", m.continuousDim);
  json.field("episodeLength", m.episodeLength).field("stepSeconds", m.stepSeconds);
  writeList(json, "parameters", m.parameters);
  writeList(json, "groups", m.groups);
  writeList(json, "sets", m.sets);
  writeNumbered(json, "attributes", m.attributes);
  writeNumbered(json, "signals", m.signals);
  writeList(json, "components", m.components);
  json.field("nominalReturn", m.nominalReturn);
  writeList(json, "metrics", m.metrics);
  writeNumbered(json, "relations", m.relations);
  writeNumbered(json, "events", m.events);
  writeNumbered(json, "behaviours", m.behaviours);
  writeList(json, "capacities", m.capacities);
  writePresence(json, m.presence);
  return json.endObject().take();
}

}  // namespace gymwright
