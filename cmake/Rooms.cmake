# One static library a room of src/, fairlead_<room>, linked to exactly the rooms that it may know;
# that of a room in a room, src/engine/place, is fairlead_engine_place. The table is
# test/arrows/rooms.txt, which the include test reads too. A room without sources yet is an
# INTERFACE library, so that the others can link it already.

# Rooms whose code takes no time that anybody notices: compiled for whoever waits for the build.
set(FAIRLEAD_RIM_ROOMS cli show host server history intake/findings engine/audit)

# fairlead_read_rooms(): sets FAIRLEAD_ROOMS and FAIRLEAD_KNOWS_<room> in the caller's scope.
macro(fairlead_read_rooms table)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${table})
  file(STRINGS ${table} fairlead_rows REGEX "^[a-z]")
  foreach(fairlead_row IN LISTS fairlead_rows)
    string(REGEX REPLACE " +" ";" fairlead_row "${fairlead_row}")
    list(POP_FRONT fairlead_row fairlead_room)
    list(REMOVE_ITEM fairlead_row -)
    list(APPEND FAIRLEAD_ROOMS ${fairlead_room})
    set(FAIRLEAD_KNOWS_${fairlead_room} ${fairlead_row})
  endforeach()
endmacro()

# fairlead_name_rooms(OUT ROOMS…): the names of their libraries.
function(fairlead_name_rooms out)
  list(TRANSFORM ARGN REPLACE "/" "_")
  list(TRANSFORM ARGN PREPEND fairlead_ OUTPUT_VARIABLE names)
  set(${out} ${names} PARENT_SCOPE)
endfunction()

# fairlead_add_room(ROOM): the library of src/ROOM/*.cc, main.cc aside.
function(fairlead_add_room room)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${room}/*.cc)
  list(FILTER sources EXCLUDE REGEX "/main\\.cc$")
  fairlead_name_rooms(target ${room})
  fairlead_name_rooms(known ${FAIRLEAD_KNOWS_${room}})
  if(sources)
    add_library(${target} STATIC ${sources})
    set(level)
    if(CMAKE_BUILD_TYPE STREQUAL Release AND room IN_LIST FAIRLEAD_RIM_ROOMS)
      set(level -O1)
    endif()
    target_compile_options(${target} PRIVATE ${FAIRLEAD_WARNINGS} ${level})
    fairlead_set_unity(${target} ${room})
    fairlead_take_headers(${target} "${level}")
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope} ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${target} ${scope} ${known} ${FAIRLEAD_LIBS_${room}})
endfunction()

# fairlead_add_executable(NAME SOURCES… LINK LIBRARIES…): an executable of our own code.
function(fairlead_add_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINK")
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_compile_options(${name} PRIVATE ${FAIRLEAD_WARNINGS})
  target_link_libraries(${name} PRIVATE ${arg_LINK})
endfunction()
