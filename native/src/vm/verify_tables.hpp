#pragma once

#include <optional>
#include <string>

#include "gymwright/program.hpp"

namespace gymwright {

/// The refusal of a program, for the reason given.
inline Failure badProgram(const std::string& reason) { return {"vm.badProgram", "bad program: " + reason}; }

/// What is wrong with a program's sizes, constants, components, metrics or memory; its code is not looked at.
std::optional<Failure> checkTables(const RawProgram& raw);

/// A hash of everything that decides what a program does: names of components and metrics included, names of
/// declarations not.
std::uint64_t fingerprintOf(const RawProgram& raw);

}  // namespace gymwright
