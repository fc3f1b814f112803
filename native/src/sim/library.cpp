#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>
#else
#include <dlfcn.h>
#endif

#include <filesystem>
#include <mutex>

#include "gymwright/catalogue.hpp"
#include "gymwright/scenario_library.hpp"
#include "sim/registry.hpp"

namespace gymwright {
namespace {

#if defined(_WIN32)
using Handle = HMODULE;

Handle openLibrary(const std::filesystem::path& path, std::string& problem) {
  Handle handle = LoadLibraryW(path.c_str());
  if (handle == nullptr) problem = "Windows error " + std::to_string(GetLastError());
  return handle;
}
void* findSymbol(Handle handle, const char* name) { return reinterpret_cast<void*>(GetProcAddress(handle, name)); }
void closeLibrary(Handle handle) { FreeLibrary(handle); }
#else
using Handle = void*;

Handle openLibrary(const std::filesystem::path& path, std::string& problem) {
  Handle handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) problem = dlerror();
  return handle;
}
void* findSymbol(Handle handle, const char* name) { return dlsym(handle, name); }
void closeLibrary(Handle handle) { dlclose(handle); }
#endif

/// UTF-8 text to a path, whatever the system's own encoding is.
std::filesystem::path toPath(const std::string& text) {
  return std::filesystem::path(std::u8string(text.begin(), text.end()));
}

/// The entries of a library whose ABI is that of this build, or what is wrong with it.
Result<const ScenarioTable*> readTable(Handle handle, const std::string& path) {
  const auto abi = reinterpret_cast<ScenarioAbiFunction>(findSymbol(handle, kScenarioAbiSymbol));
  const auto table = reinterpret_cast<ScenarioTableFunction>(findSymbol(handle, kScenarioTableSymbol));
  if (abi == nullptr || table == nullptr) {
    return badLibrary(path,
                      "it exports no scenarios; end one of its source files with GYMWRIGHT_SCENARIO_LIBRARY(entry)");
  }
  const std::string theirs = abi();
  if (theirs != scenarioAbiTag()) {
    return badLibrary(path, "it was built for \"" + theirs + "\" and this program is \"" + scenarioAbiTag() +
                                "\"; build it again against this version's native/include, with the same compiler");
  }
  return table();
}

Result<std::vector<std::string>> addEntries(const ScenarioTable& table, const std::string& path) {
  std::vector<const ScenarioEntry*> entries;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < table.count; ++i) {
    const ScenarioEntry& entry = table.entries[i];
    if (entry.name == nullptr || entry.parameters == nullptr || entry.make == nullptr)
      return badLibrary(path, "entry " + std::to_string(i) + " lacks its name, parameters or make");
    const auto parameters = parametersOf(entry, path);
    if (!parameters) return parameters.failure();
    if (const auto made = makeForeign(entry, ParameterValues(parameters.value()), path); !made) return made.failure();
    entries.push_back(&entry);
    names.emplace_back(entry.name);
  }
  if (entries.empty()) return badLibrary(path, "it has no entries");
  if (auto taken = Registry::instance().add(path, entries))
    return badLibrary(path, "there is a scenario " + *taken + " already; give yours another name");
  return names;
}

}  // namespace

Result<std::vector<std::string>> loadScenarioLibrary(const std::string& given) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::weakly_canonical(toPath(given), error);
  const std::filesystem::file_status status = std::filesystem::status(absolute, error);
  if (given.empty() || !std::filesystem::exists(status)) return badLibrary(given, "there is no such file");
  if (std::filesystem::is_directory(status)) return badLibrary(given, "it is a folder; name the library in it");
  if (!std::filesystem::is_regular_file(status))
    return badLibrary(given, "it is not a file but a pipe, socket or device");
  const std::u8string text = absolute.u8string();
  const std::string path(text.begin(), text.end());
  static std::mutex loading;
  const std::lock_guard lock(loading);
  if (auto names = Registry::instance().namesOf(path)) return *names;
  std::string problem;
  Handle handle = openLibrary(absolute, problem);
  if (handle == nullptr) return badLibrary(path, "it cannot be loaded (" + problem + ")");
  const auto table = readTable(handle, path);
  if (!table) {
    closeLibrary(handle);
    return table.failure();
  }
  auto added = addEntries(*table.value(), path);
  if (!added) closeLibrary(handle);
  return added;
}

}  // namespace gymwright
