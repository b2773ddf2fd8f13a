# Everything that ctest runs. An executable of unit tests is one entry: its own last line counts its
# cases, and scripts/test.sh prints those lines after ctest's.
find_package(GTest REQUIRED)

# A local HTTP server for the client's tests.
# Its readers and writers.
set(FAIRLEAD_TEST_LIBS_objects fairlead_objects_read fairlead_objects_write)
set(FAIRLEAD_TEST_LIBS_intake fairlead_objects_write)
# The decoders of all kinds.
set(FAIRLEAD_TEST_LIBS_kube fairlead_dep_httplib fairlead_intake)
# What it records is replayed; what the history keeps of it; the API server that the client's tests
# speak to.
set(FAIRLEAD_TEST_LIBS_live fairlead_trace fairlead_history)
set(FAIRLEAD_TEST_SOURCES_live test/unit/kube/fake_api.cc test/unit/kube/fake_loop.cc
  test/unit/jobs/any_job.cc)
# Jobs of any kind.
set(FAIRLEAD_TEST_SOURCES_virtual test/unit/jobs/any_job.cc)
set(FAIRLEAD_TEST_LIBS_account fairlead_trace)
# All rooms of the engine.
set(FAIRLEAD_TEST_LIBS_engine fairlead_engine_explain fairlead_engine_audit)
# Worlds are written down where they fail, and plans audited.
set(FAIRLEAD_TEST_LIBS_drive fairlead_objects_write fairlead_engine_audit)
# Random clusters, which are the engine's tests'.
set(FAIRLEAD_TEST_SOURCES_view test/unit/engine/random_world.cc test/unit/engine/tell.cc)

# Rooms that have threads, or run on one that others ask: what `make tsan` builds and runs, and with
# it the end-to-end tests of the binary by itself, e2e/up and e2e/history.
set(FAIRLEAD_THREADED history server kube live host cli)
add_custom_target(threaded_tests)

# Unit tests: test/unit/<room>/*.cc make <room>_test, linked to that room and what it knows. The
# tests of rooms in a room may lie with those of the room that knows them.
foreach(room IN LISTS FAIRLEAD_ROOMS)
  file(GLOB sources CONFIGURE_DEPENDS test/unit/${room}/*.cc)
  if(NOT sources)
    continue()
  endif()
  fairlead_name_rooms(library ${room})
  string(REPLACE "/" "_" test ${room}_test)
  fairlead_add_executable(${test}
    ${sources} ${FAIRLEAD_TEST_SOURCES_${room}}
    LINK ${library} GTest::gmock_main ${FAIRLEAD_TEST_LIBS_${room}})
  fairlead_set_unity(${test} ${room})
  # A third of the time, for the largest sources there are. Those of the engine have work of their
  # own: they solve small worlds once more.
  if(CMAKE_BUILD_TYPE STREQUAL Asan AND NOT room STREQUAL engine)
    target_compile_options(${test} PRIVATE -O0)
  endif()
  if(room IN_LIST FAIRLEAD_THREADED)
    add_dependencies(threaded_tests ${test})
  endif()
  target_include_directories(${test} PRIVATE test)
  # At the top, where examples/ is.
  add_test(NAME unit/${room} COMMAND ${test} --gtest_brief=1
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  if(room IN_LIST FAIRLEAD_THREADED)
    set_tests_properties(unit/${room} PROPERTIES LABELS threads)
  endif()
endforeach()

# What a table of bench/ is measured against: test/unit/bench/*.cc.
file(GLOB sources CONFIGURE_DEPENDS test/unit/bench/*.cc bench/backfill/*.cc)
list(FILTER sources EXCLUDE REGEX "/table\\.cc$")
fairlead_add_executable(bench_test ${sources} LINK fairlead_trace GTest::gmock_main)
fairlead_set_unity(bench_test bench)
target_include_directories(bench_test PRIVATE ${PROJECT_SOURCE_DIR})
add_test(NAME unit/bench COMMAND bench_test --gtest_brief=1
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})

# Scenarios: text files, run through the same entry as users'.
file(GLOB sources CONFIGURE_DEPENDS test/scenarios/*.cc)
if(sources)
  fairlead_add_executable(scenario_test ${sources}
    LINK fairlead_engine_explain fairlead_engine_audit fairlead_intake)
  fairlead_set_unity(scenario_test test/scenarios)
  target_include_directories(scenario_test PRIVATE test)
  add_test(NAME scenarios COMMAND scenario_test ${PROJECT_SOURCE_DIR}/test/scenarios)
endif()

# What kube-scheduler's filters are compared with, by test/e2e/filters.sh.
if(TARGET fairlead)
  fairlead_add_executable(node_fits test/filters/node_fits.cc LINK fairlead_engine fairlead_intake)
  target_include_directories(node_fits PRIVATE test)
endif()

# Scripts that drive the binary: each gets its path. Of those that start a control plane one runs at
# a time: it waits for much, and other tests keep the other cores busy meanwhile.
if(TARGET fairlead)
  file(GLOB scripts CONFIGURE_DEPENDS test/golden/run.sh test/e2e/*.sh)
  list(FILTER scripts EXCLUDE REGEX "/lib[a-z_]*\\.sh$")
  foreach(script IN LISTS scripts)
    cmake_path(RELATIVE_PATH script BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/test OUTPUT_VARIABLE name)
    string(REGEX REPLACE "(/run)?\\.sh$" "" name ${name})
    add_test(NAME ${name} COMMAND bash ${script} $<TARGET_FILE:fairlead>)
    set_tests_properties(${name} PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    file(STRINGS ${script} starts REGEX "^start_(cluster|kinds)( |$)")
    if(starts)
      set_tests_properties(${name} PROPERTIES
        LABELS control_plane RESOURCE_LOCK control_plane COST 1000)
    elseif(name MATCHES "^e2e/(up|history)$")
      set_tests_properties(${name} PROPERTIES LABELS threads)
    endif()
  endforeach()
endif()

# The commands that the documents show.
if(TARGET fairlead)
  add_dependencies(threaded_tests fairlead)
  add_test(NAME docs
    COMMAND python3 ${PROJECT_SOURCE_DIR}/test/docs/run.py $<TARGET_FILE:fairlead>)
endif()

# The web page, in a browser that is driven by test/page.
if(TARGET fairlead)
  file(GLOB tests CONFIGURE_DEPENDS test/page/*.test.mjs)
  add_test(NAME e2e/page COMMAND ${FAIRLEAD_NODE}
    --test --test-reporter=${PROJECT_SOURCE_DIR}/test/page/reporter.mjs ${tests})
  set_tests_properties(e2e/page PROPERTIES
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    ENVIRONMENT "FAIRLEAD=$<TARGET_FILE:fairlead>;PAGE_MODULES=${FAIRLEAD_WEB}/node_modules;\
PAGE_OUT=${PROJECT_BINARY_DIR}/page")
endif()

# What is served, beside what is written of it: dashboards, the OpenAPI document.
if(TARGET fairlead)
  file(GLOB tests CONFIGURE_DEPENDS test/served/*.test.mjs)
  add_test(NAME served COMMAND ${FAIRLEAD_NODE}
    --test --test-reporter=${PROJECT_SOURCE_DIR}/test/page/reporter.mjs ${tests})
  set_tests_properties(served PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    ENVIRONMENT
    "FAIRLEAD=$<TARGET_FILE:fairlead>;PAGE_MODULES=${FAIRLEAD_WEB}/node_modules;REPORT_OF=served")
endif()

# The Debian package and the image, of the program that is there. One with sanitizers is linked to
# what they do not have.
if(CMAKE_BUILD_TYPE STREQUAL Test)
  foreach(kind package image plugin)
    add_test(NAME package/${kind}
      COMMAND bash ${PROJECT_SOURCE_DIR}/test/package/${kind}.sh test)
    set_tests_properties(package/${kind} PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  endforeach()
endif()

# Who has to go, beside the optimum of an integer program.
if(TARGET fairlead)
  add_test(NAME optimum
    COMMAND python3 ${PROJECT_SOURCE_DIR}/test/optimum/least_harm.py $<TARGET_FILE:fairlead>)
endif()

# What the fuzzers found once stays found.
include(Fuzz)

# What is checked without running any of our programs: once is enough.
if(CMAKE_BUILD_TYPE STREQUAL Test)
  # Rules on the text of the sources, and of the documents; the types of the page.
  foreach(rule arrows tidy)
    add_test(NAME ${rule} COMMAND bash ${PROJECT_SOURCE_DIR}/test/arrows/${rule}.sh)
  endforeach()
  add_test(NAME classes COMMAND python3 ${PROJECT_SOURCE_DIR}/test/arrows/classes.py)
  add_test(NAME arrows/self COMMAND bash ${PROJECT_SOURCE_DIR}/test/arrows/self_test.sh)
  add_test(NAME docs/spelling COMMAND ${PROJECT_SOURCE_DIR}/test/docs/spelling.sh)
  add_test(NAME page/types
    COMMAND ${FAIRLEAD_NODE} node_modules/typescript/lib/tsc.js -p tsconfig.json)
  set_tests_properties(page/types PROPERTIES WORKING_DIRECTORY ${FAIRLEAD_WEB})

  # What the scripts show of long work.
  add_test(NAME scripts/progress
    COMMAND python3 ${PROJECT_SOURCE_DIR}/test/scripts/progress.py)
endif()

# A test that hangs is a failure, not a wait. A slow machine takes its time, and so do sanitizers.
get_property(tests DIRECTORY PROPERTY TESTS)
set_tests_properties(${tests} PROPERTIES TIMEOUT $<IF:$<CONFIG:Asan,Tsan>,1800,900>)
