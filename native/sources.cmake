# Sources of the core, shared by the addon and the native tests.
set(GYMWRIGHT_CORE_SOURCES
  src/core/json_writer.cpp
  src/core/manifest.cpp
  src/core/text.cpp
  src/scenarios/simple_adversary.cpp
  src/scenarios/simple_spread.cpp
  src/sim/batch.cpp
  src/sim/catalogue.cpp
  src/sim/mpe_manifest.cpp
  src/sim/mpe_world.cpp
  src/sim/snapshot.cpp
  src/sim/trace.cpp
  src/sim/vec_env.cpp
  src/vm/machine.cpp
  src/vm/verify.cpp
  src/vm/verify_tables.cpp)
list(TRANSFORM GYMWRIGHT_CORE_SOURCES PREPEND "${CMAKE_CURRENT_LIST_DIR}/")
