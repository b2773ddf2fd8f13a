# Benchmarks: bench/*.cc make fairlead_bench, bench/e2e the load of the end-to-end measurements.
# Only `make bench` and `make bench-e2e` build them.
file(GLOB sources CONFIGURE_DEPENDS bench/*.cc)
if(sources)
  find_package(benchmark REQUIRED)
  fairlead_add_executable(fairlead_bench ${sources} LINK fairlead_cli benchmark::benchmark_main)
  target_include_directories(fairlead_bench PRIVATE ${PROJECT_SOURCE_DIR})
  set_target_properties(fairlead_bench PROPERTIES EXCLUDE_FROM_ALL ON)
  # As the binary has it (CMakeLists.txt): what is measured is what users run.
  target_link_options(fairlead_bench PRIVATE
    LINKER:--push-state,--no-as-needed $<TARGET_FILE:mimalloc> LINKER:--pop-state)
endif()
fairlead_add_executable(load bench/e2e/load.cc LINK fairlead_live)
set_target_properties(load PROPERTIES EXCLUDE_FROM_ALL ON)
# Tables for the documents: bench/<what>/table.cc, and what is beside it and in further folders,
# make <what>_table.
function(fairlead_add_table name)
  list(TRANSFORM ARGN REPLACE "(.+)" "bench/\\1/*.cc" OUTPUT_VARIABLE folders)
  file(GLOB sources CONFIGURE_DEPENDS ${folders})
  fairlead_add_executable(${name} ${sources} bench/in_parallel.cc bench/worlds.cc LINK fairlead_cli)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
endfunction()

# Of placements and of policies, in docs/traces.md. What the latter is made of has tests
# (cmake/Tests.cmake).
fairlead_add_table(placement_table placement)
fairlead_add_table(backfill_table backfill)
# Of foretold starts, in docs/reservations.md.
fairlead_add_table(starts_table starts)
# Of days that are made: on racks, in docs/topology-day.md, and with moves, in docs/moves.md.
fairlead_add_table(topology_table topology_day days)
fairlead_add_table(moves_table moves days)
