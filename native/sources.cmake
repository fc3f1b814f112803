# Sources of the core, shared by the addon and the native tests.
set(GYMWRIGHT_CORE_SOURCES
  src/core/json_writer.cpp
  src/core/manifest.cpp
  src/core/text.cpp
  src/scenarios/capture/behaviours.cpp
  src/scenarios/capture/books.cpp
  src/scenarios/capture/capture.cpp
  src/scenarios/capture/combat.cpp
  src/scenarios/capture/describe.cpp
  src/scenarios/capture/events.cpp
  src/scenarios/capture/frame.cpp
  src/scenarios/capture/movement.cpp
  src/scenarios/capture/observe.cpp
  src/scenarios/capture/parameters.cpp
  src/scenarios/capture/points.cpp
  src/scenarios/capture/relations.cpp
  src/scenarios/capture/setup.cpp
  src/scenarios/capture/temperament.cpp
  src/scenarios/foraging/books.cpp
  src/scenarios/foraging/describe.cpp
  src/scenarios/foraging/foods.cpp
  src/scenarios/foraging/foraging.cpp
  src/scenarios/foraging/frame.cpp
  src/scenarios/foraging/mind.cpp
  src/scenarios/foraging/parameters.cpp
  src/scenarios/foraging/setup.cpp
  src/scenarios/simple.cpp
  src/scenarios/simple_adversary.cpp
  src/scenarios/simple_crypto.cpp
  src/scenarios/simple_push.cpp
  src/scenarios/simple_reference.cpp
  src/scenarios/simple_speaker_listener.cpp
  src/scenarios/simple_spread.cpp
  src/scenarios/simple_tag.cpp
  src/scenarios/skirmish/behaviours.cpp
  src/scenarios/skirmish/books.cpp
  src/scenarios/skirmish/describe.cpp
  src/scenarios/skirmish/events.cpp
  src/scenarios/skirmish/fight.cpp
  src/scenarios/skirmish/frame.cpp
  src/scenarios/skirmish/observe.cpp
  src/scenarios/skirmish/parameters.cpp
  src/scenarios/skirmish/policies.cpp
  src/scenarios/skirmish/push.cpp
  src/scenarios/skirmish/setup.cpp
  src/scenarios/skirmish/skirmish.cpp
  src/scenarios/world_comm/describe.cpp
  src/scenarios/world_comm/parameters.cpp
  src/scenarios/world_comm/play.cpp
  src/scenarios/world_comm/simple_world_comm.cpp
  src/sim/batch.cpp
  src/sim/batch_controls.cpp
  src/sim/batch_rewards.cpp
  src/sim/catalogue.cpp
  src/sim/check_scenario.cpp
  src/sim/check_writes.cpp
  src/sim/frames.cpp
  src/sim/library.cpp
  src/sim/mpe_actions.cpp
  src/sim/mpe_acts.cpp
  src/sim/mpe_books.cpp
  src/sim/mpe_frame.cpp
  src/sim/mpe_goal.cpp
  src/sim/mpe_manifest.cpp
  src/sim/mpe_pursuit.cpp
  src/sim/mpe_world.cpp
  src/sim/playback.cpp
  src/sim/program_words.cpp
  src/sim/registry.cpp
  src/sim/snapshot.cpp
  src/sim/trace.cpp
  src/sim/vec_env.cpp
  src/vm/attribute_lanes.cpp
  src/vm/binder.cpp
  src/vm/inputs.cpp
  src/vm/kernels.cpp
  src/vm/kernels_baseline.cpp
  src/vm/machine.cpp
  src/vm/machine_entities.cpp
  src/vm/verify.cpp
  src/vm/verify_tables.cpp
  src/vm/workspace.cpp)

# The rule machine's loops are compiled for more than one instruction set of x86-64 and chosen when the program runs.
set(GYMWRIGHT_X86_KERNELS OFF)
if(NOT MSVC AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND NOT CMAKE_OSX_ARCHITECTURES MATCHES "arm64")
  set(GYMWRIGHT_X86_KERNELS ON)
  list(APPEND GYMWRIGHT_CORE_SOURCES src/vm/kernels_avx2.cpp src/vm/kernels_avx512.cpp)
endif()
list(TRANSFORM GYMWRIGHT_CORE_SOURCES PREPEND "${CMAKE_CURRENT_LIST_DIR}/")

# Flags of those loops; a property of the folder that builds them, hence a function. Comparisons raise no traps there:
# the compiler may then compute both sides of a choice, which changes no result.
set(GYMWRIGHT_VM_FOLDER "${CMAKE_CURRENT_LIST_DIR}/src/vm")
function(gymwright_set_kernel_flags)
  if(MSVC)
    return()
  endif()
  set_source_files_properties("${GYMWRIGHT_VM_FOLDER}/kernels_baseline.cpp" PROPERTIES COMPILE_OPTIONS "-fno-trapping-math")
  if(GYMWRIGHT_X86_KERNELS)
    set_source_files_properties("${GYMWRIGHT_VM_FOLDER}/kernels.cpp" PROPERTIES COMPILE_DEFINITIONS GYMWRIGHT_X86_KERNELS)
    set_source_files_properties("${GYMWRIGHT_VM_FOLDER}/kernels_avx2.cpp" PROPERTIES COMPILE_OPTIONS "-fno-trapping-math;-mavx2")
    set_source_files_properties("${GYMWRIGHT_VM_FOLDER}/kernels_avx512.cpp" PROPERTIES
      COMPILE_OPTIONS "-fno-trapping-math;-mavx512f;-mavx512dq;-mavx512vl;-mprefer-vector-width=512")
  endif()
endfunction()
