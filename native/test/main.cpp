#include <cstdio>
#include <string>

#include "check.hpp"

/// Runs all cases, or those whose name contains the first argument.
int main(int argc, char** argv) {
  using namespace gymwright::test;
  int passed = 0;
  int failed = 0;
  for (const Case& test : cases()) {
    if (argc > 1 && test.name.find(argv[1]) == std::string::npos) continue;
    failures().clear();
    test.run();
    if (failures().empty()) {
      ++passed;
      continue;
    }
    ++failed;
    std::printf("FAILED %s\n", test.name.c_str());
    for (const std::string& failure : failures()) std::printf("  %s\n", failure.c_str());
  }
  std::printf("native: %d passed, %d failed\n", passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}
