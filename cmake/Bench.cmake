# Benchmarks: bench/*.cc make fairlead_bench, bench/e2e the load of the end-to-end measurements.
# Only `make bench` and `make bench-e2e` build them.
file(GLOB sources CONFIGURE_DEPENDS bench/*.cc)
if(sources)
  find_package(benchmark REQUIRED)
  fairlead_add_executable(fairlead_bench ${sources} LINK fairlead_cli benchmark::benchmark_main)
  target_include_directories(fairlead_bench PRIVATE ${PROJECT_SOURCE_DIR})
  set_target_properties(fairlead_bench PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
fairlead_add_executable(load bench/e2e/load.cc LINK fairlead_live)
set_target_properties(load PROPERTIES EXCLUDE_FROM_ALL ON)
# The table of placements in docs/traces.md.
fairlead_add_executable(placement_table
  bench/placement/table.cc bench/worlds.cc LINK fairlead_trace)
target_include_directories(placement_table PRIVATE ${PROJECT_SOURCE_DIR})
set_target_properties(placement_table PROPERTIES EXCLUDE_FROM_ALL ON)
# The table of policies in docs/traces.md. What it is made of has tests (cmake/Tests.cmake).
file(GLOB sources CONFIGURE_DEPENDS bench/backfill/*.cc)
fairlead_add_executable(backfill_table ${sources} bench/worlds.cc LINK fairlead_trace)
target_include_directories(backfill_table PRIVATE ${PROJECT_SOURCE_DIR})
set_target_properties(backfill_table PROPERTIES EXCLUDE_FROM_ALL ON)

# The table of foretold starts in docs/reservations.md.
fairlead_add_executable(starts_table bench/starts/table.cc bench/worlds.cc LINK fairlead_host)
target_include_directories(starts_table PRIVATE ${PROJECT_SOURCE_DIR})
set_target_properties(starts_table PROPERTIES EXCLUDE_FROM_ALL ON)

# The table of a day on racks in docs/topology-day.md.
file(GLOB topology_day CONFIGURE_DEPENDS bench/topology_day/*.cc)
fairlead_add_executable(topology_table
  ${topology_day} bench/worlds.cc LINK fairlead_trace)
target_include_directories(topology_table PRIVATE ${PROJECT_SOURCE_DIR})
set_target_properties(topology_table PROPERTIES EXCLUDE_FROM_ALL ON)
