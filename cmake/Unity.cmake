# Unity builds: several sources of a target are compiled as one, as nearly all of the time a source
# takes goes into headers. FAIRLEAD_UNITY says how many; 0 is none. Whoever works on a room has its
# sources compiled one by one, so that an edit costs one of them: FAIRLEAD_SINGLE lists such rooms,
# `make test ROOM=engine` sets it.
#
# A room must compile as one source, whatever the batches are: what stands in an unnamed namespace
# has a name that no other file of the room uses. `-D FAIRLEAD_UNITY=1000` shows that.
set(FAIRLEAD_UNITY 0 CACHE STRING "how many sources are compiled as one; 0: each by itself")
set(FAIRLEAD_SINGLE "" CACHE STRING "rooms whose sources are compiled one by one, with their tests")

# g++ looks for garbage less often, and takes a tenth less time a source and 1.8 GB at most instead
# of 1.3. Not where sources are read one by one by clang-tidy, which does not know the option.
if(FAIRLEAD_UNITY GREATER 1 AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  add_compile_options(--param=ggc-min-heapsize=1048576)
endif()

# fairlead_set_unity(TARGET ROOM): as above, for a room's library or its tests. A room in a room is
# compiled like that.
function(fairlead_set_unity target room)
  string(REGEX REPLACE "/.*" "" outer ${room})
  if(FAIRLEAD_UNITY GREATER 1 AND NOT room IN_LIST FAIRLEAD_SINGLE
     AND NOT outer IN_LIST FAIRLEAD_SINGLE)
    set(batch ${FAIRLEAD_UNITY})
    if(room STREQUAL cli AND batch LESS_EQUAL 20)
      set(batch 8)  # built last: in parts that keep every core busy to the end
    endif()
    set_target_properties(${target} PROPERTIES
      UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
  endif()
endfunction()

# fairlead_take_headers(TARGET LEVEL): in a release, what nearly every room includes is read once
# for all rooms of an optimization level (LEVEL: empty, or -O1) instead of once a unit. Other
# presets, and sources compiled by themselves, show what a source forgot to include.
function(fairlead_take_headers target level)
  if(NOT (FAIRLEAD_UNITY GREATER 1 AND CMAKE_CXX_COMPILER_ID STREQUAL GNU
          AND CMAKE_BUILD_TYPE STREQUAL Release))
    return()
  endif()
  set(headers fairlead_headers${level})
  if(NOT TARGET ${headers})
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${headers}.cc CONTENT "")
    add_library(${headers} OBJECT ${PROJECT_BINARY_DIR}/${headers}.cc)
    target_compile_options(${headers} PRIVATE ${FAIRLEAD_WARNINGS} ${level})
    target_link_libraries(${headers} PRIVATE fmt::fmt Boost::json)
    target_precompile_headers(${headers} PRIVATE
      <algorithm> <array> <cstdint> <functional> <limits> <map> <memory> <optional> <set> <span>
      <string> <string_view> <utility> <vector> <fmt/format.h> <boost/json.hpp>
      <boost/unordered/unordered_flat_map.hpp>)
  endif()
  target_link_libraries(${target} PRIVATE fmt::fmt Boost::json)  # the same macros
  target_precompile_headers(${target} REUSE_FROM ${headers})
endfunction()
