#pragma once

#include <cstddef>
#include <string>

#include "gymwright/header_hash.hpp"
#include "gymwright/scenario_entry.hpp"

/// How scenarios that live outside the product reach it: a shared library exports a table of entries with
/// GYMWRIGHT_SCENARIO_LIBRARY, and is loaded by its path. Everything such a library needs is in these headers; it links
/// to nothing of the product. Objects of the standard library cross the border, so both sides must be built with the
/// same headers and a standard library of the same ABI: a tag that both compute from their own build says so.
namespace gymwright {

/// Raised when something that crosses the border comes to mean something else without a change of these headers.
inline constexpr int kScenarioAbiVersion = 1;

/// Version and hash of the headers, the ABI of compiler and standard library, and the sizes of what crosses the border,
/// of the build that calls it.
inline std::string scenarioAbiTag() {
  std::string tag = "gymwright scenario " + std::to_string(kScenarioAbiVersion);
  tag += std::string(", headers ") + kHeaderHash;
#if defined(_MSC_VER)
  tag += ", msvc " + std::to_string(_MSC_VER / 100) + ", iterators " + std::to_string(_ITERATOR_DEBUG_LEVEL);
#elif defined(_LIBCPP_VERSION)
  tag += ", libc++ abi " + std::to_string(_LIBCPP_ABI_VERSION);
#elif defined(__GLIBCXX__)
  tag += ", libstdc++ strings " + std::to_string(_GLIBCXX_USE_CXX11_ABI);
#if defined(_GLIBCXX_DEBUG)
  tag += ", debug containers";
#endif
#else
  tag += ", unknown standard library";
#endif
  for (const std::size_t size : {sizeof(void*), sizeof(std::string), sizeof(Parameter), sizeof(Manifest),
                                 sizeof(Scenario), sizeof(ScenarioEntry)})
    tag += (size == sizeof(void*) ? ", sizes " : " ") + std::to_string(size);
  return tag;
}

/// Entries of a library; `entries` stays valid as long as the library is loaded.
struct ScenarioTable {
  const ScenarioEntry* entries;
  std::size_t count;
};

/// Names and types of the two symbols that a library exports.
inline constexpr const char* kScenarioAbiSymbol = "gymwrightScenarioAbi";
inline constexpr const char* kScenarioTableSymbol = "gymwrightScenarioTable";
using ScenarioAbiFunction = const char* (*)();
using ScenarioTableFunction = const ScenarioTable* (*)();

}  // namespace gymwright

#if defined(_WIN32)
#define GYMWRIGHT_EXPORT __declspec(dllexport)
#else
#define GYMWRIGHT_EXPORT __attribute__((visibility("default")))
#endif

/// Exports the given ScenarioEntry values. Used once in a library, outside any namespace:
///   GYMWRIGHT_SCENARIO_LIBRARY(kTag, kHideAndSeek)
#define GYMWRIGHT_SCENARIO_LIBRARY(...)                                                            \
  extern "C" GYMWRIGHT_EXPORT const char* gymwrightScenarioAbi() {                                 \
    static const std::string tag = gymwright::scenarioAbiTag();                                    \
    return tag.c_str();                                                                            \
  }                                                                                                \
  extern "C" GYMWRIGHT_EXPORT const gymwright::ScenarioTable* gymwrightScenarioTable() {           \
    static const gymwright::ScenarioEntry entries[] = {__VA_ARGS__};                               \
    static const gymwright::ScenarioTable table = {entries, sizeof(entries) / sizeof(entries[0])}; \
    return &table;                                                                                 \
  }
