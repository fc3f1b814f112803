#pragma once

#include <string>
#include <vector>

namespace gymwright {

/// "a, b, c".
std::string joinNames(const std::vector<std::string>& names);

/// The known name with the smallest edit distance to `name`; the first of equals. Requires: known is not empty.
std::string nearestName(const std::string& name, const std::vector<std::string>& known);

/// Shortest decimal form that reads back as the same number ("0.1", "25", "1e-07", "nan").
std::string formatNumber(double value);

}  // namespace gymwright
