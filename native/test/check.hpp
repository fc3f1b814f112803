#pragma once

#include <cmath>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

/// A test runner of one page: TEST declares a case, CHECK* record failures and go on.
namespace gymwright::test {

struct Case {
  std::string name;
  std::function<void()> run;
};

inline std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}

inline std::vector<std::string>& failures() {
  static std::vector<std::string> current;
  return current;
}

struct Registration {
  Registration(const char* name, std::function<void()> run) { cases().push_back({name, std::move(run)}); }
};

template <typename... Parts>
void fail(const char* file, int line, const Parts&... parts) {
  std::ostringstream text;
  text.precision(17);
  text << file << ':' << line << ": ";
  (text << ... << parts);
  failures().push_back(text.str());
}

}  // namespace gymwright::test

#define GYM_JOIN2(a, b) a##b
#define GYM_JOIN(a, b) GYM_JOIN2(a, b)
#define TEST(name)                                                                                             \
  static void GYM_JOIN(testBody, __LINE__)();                                                                  \
  static const gymwright::test::Registration GYM_JOIN(testCase, __LINE__)(name, GYM_JOIN(testBody, __LINE__)); \
  static void GYM_JOIN(testBody, __LINE__)()
#define CHECK(condition)                                                                   \
  do {                                                                                     \
    if (!(condition)) gymwright::test::fail(__FILE__, __LINE__, "not true: ", #condition); \
  } while (false)
#define CHECK_EQ(actual, expected)                                                                 \
  do {                                                                                             \
    const auto gotValue = (actual);                                                                \
    const auto wantedValue = (expected);                                                           \
    if (!(gotValue == wantedValue))                                                                \
      gymwright::test::fail(__FILE__, __LINE__, #actual, " is ", gotValue, ", not ", wantedValue); \
  } while (false)
#define CHECK_NEAR(actual, expected, tolerance)                                                               \
  do {                                                                                                        \
    const double gotValue = (actual);                                                                         \
    const double wantedValue = (expected);                                                                    \
    if (!(std::fabs(gotValue - wantedValue) <= (tolerance)))                                                  \
      gymwright::test::fail(__FILE__, __LINE__, #actual, " is ", gotValue, ", not ", wantedValue, " within ", \
                            tolerance);                                                                       \
  } while (false)
