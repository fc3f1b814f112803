#pragma once

#include <deque>
#include <vector>

#include "vm/workspace.hpp"

namespace gymwright {

/// The lanes of one attribute, or of the points, of every entity that has one; null elsewhere.
using EntityTable = std::vector<const double*>;

/// An instruction whose operands are found: a kernel over lanes, or what Machine does for its opcode.
struct BoundInstruction {
  Opcode op;
  std::int32_t declaration;
  Kernel kernel;  ///< null where it takes more than one
  double* dst;
  const double* a;
  const double* b;
  const double* c;
  std::int32_t index;   ///< the id among the operands: relation, event, behaviour; key declaration of RANDOM
  std::int32_t entity;  ///< the fixed entity among the operands
  std::uint32_t key;    ///< EVENT: of its draws; RANDOM: number of the draw
  const EntityTable* table;
};

/// A section ready to run.
struct BoundSection {
  std::vector<BoundInstruction> code;
  std::deque<EntityTable> tables;
  Layer layer;             ///< of the attributes it reads
  bool readsRows = false;  ///< asks the scenario about attributes (RELATE)
};

/// Finds the operands of a section's instructions in the workspace. LOAD, CONST, RECALL, SIGNAL, MEMBER and DIST leave
/// no instruction: who reads their result reads the lanes that hold it anyway.
BoundSection bind(Section which, Workspace& workspace);

}  // namespace gymwright
