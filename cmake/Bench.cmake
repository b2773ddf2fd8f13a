# Benchmarks: bench/*.cc make fairlead_bench, which only `make bench` builds.
file(GLOB sources CONFIGURE_DEPENDS bench/*.cc)
if(sources)
  find_package(benchmark REQUIRED)
  fairlead_add_executable(fairlead_bench ${sources} LINK fairlead_cli benchmark::benchmark_main)
  target_include_directories(fairlead_bench PRIVATE ${PROJECT_SOURCE_DIR})
  set_target_properties(fairlead_bench PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
