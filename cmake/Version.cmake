# The version that `fairlead version` prints: src/base/version.h declares it, this generates the one
# source that defines it. Only release builds name the commit; there one file is compiled again
# after a commit and the binary linked again. Test builds do not, and print the same on any day.
set(FAIRLEAD_VERSION_SOURCE ${PROJECT_BINARY_DIR}/gen/version.cc)
set(write_version ${CMAKE_COMMAND}
  -D VERSION=${PROJECT_VERSION}
  -D SOURCE_DIR=${PROJECT_SOURCE_DIR}
  -D TEMPLATE=${PROJECT_SOURCE_DIR}/cmake/version.cc.in
  -D OUTPUT=${FAIRLEAD_VERSION_SOURCE})

set(log_of_commits "")
if(CMAKE_BUILD_TYPE STREQUAL Release)
  list(APPEND write_version -D COMMIT=ON)
  execute_process(
    COMMAND git -C ${PROJECT_SOURCE_DIR} rev-parse --path-format=absolute --git-path logs/HEAD
    OUTPUT_VARIABLE log_of_commits OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT EXISTS "${log_of_commits}")
    set(log_of_commits "")
  endif()
endif()

add_custom_command(
  OUTPUT ${FAIRLEAD_VERSION_SOURCE}
  COMMAND ${write_version} -P ${PROJECT_SOURCE_DIR}/cmake/WriteVersion.cmake
  DEPENDS cmake/version.cc.in cmake/WriteVersion.cmake ${log_of_commits}
  COMMENT "Writing the version"
  VERBATIM)
add_library(fairlead_version STATIC ${FAIRLEAD_VERSION_SOURCE})
target_include_directories(fairlead_version PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(fairlead_version PRIVATE ${FAIRLEAD_WARNINGS})
