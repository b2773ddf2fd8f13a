# The build types behind the presets. Each says all its flags here; nothing comes from CMake's own.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Test, Asan, Tsan or Fuzz" FORCE)
endif()
set(FAIRLEAD_BUILD_TYPES Release Test Asan Tsan Fuzz)
if(NOT CMAKE_BUILD_TYPE IN_LIST FAIRLEAD_BUILD_TYPES)
  list(JOIN FAIRLEAD_BUILD_TYPES ", " names)
  message(FATAL_ERROR "CMAKE_BUILD_TYPE is ${CMAKE_BUILD_TYPE}, expected one of: ${names}")
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

# NDEBUG is absent from all but Release: DCHECK counts there.
set(checked "-g1 -fno-omit-frame-pointer -D_GLIBCXX_ASSERTIONS")
set(sanitized "${checked} -fsanitize=address,undefined -fno-sanitize-recover=all")
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
set(CMAKE_CXX_FLAGS_TEST "-O1 ${checked}")
# What UndefinedBehaviorSanitizer finds traps, and AddressSanitizer names the line: calls that say
# it in words made the program twice as large. Wrong casts (vptr) cannot trap; the fuzzers, which
# have words, look for them.
set(CMAKE_CXX_FLAGS_ASAN "-O1 ${sanitized} -fsanitize-undefined-trap-on-error")
set(CMAKE_CXX_FLAGS_TSAN "-O1 ${checked} -fsanitize=thread")
set(CMAKE_CXX_FLAGS_FUZZ "-O1 ${sanitized} -fsanitize=fuzzer-no-link")

# The same figures on every machine: no fused multiply-add where the processor happens to have one.
add_compile_options(-ffp-contract=off)

# For our own code only: libraries' headers are system headers, where the compiler is silent.
# Not -Wpedantic: it refuses __int128, in which exact products of 64-bit figures are taken.
# A designated initializer names what differs from the default, so a field left out is no fault.
set(FAIRLEAD_WARNINGS
  -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion
  -Wnon-virtual-dtor -Woverloaded-virtual -Wextra-semi -Wvla -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  list(APPEND FAIRLEAD_WARNINGS -Wno-restrict)  # a false alarm of g++ 12 in std::string
endif()
if(CMAKE_BUILD_TYPE MATCHES "Release|Test")
  list(APPEND FAIRLEAD_WARNINGS -Werror)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # Instrumented code makes g++ warn about paths that it added itself; clang, of Fuzz, is held to
  # account by `make lint`.
  list(APPEND FAIRLEAD_WARNINGS -w)
endif()

find_program(FAIRLEAD_CCACHE ccache)
if(FAIRLEAD_CCACHE)
  # NOHASHDIR and BASEDIR: two build directories, and two clones, share what they compiled.
  # SLOPPINESS: what it asks for where headers are compiled beforehand; nothing here tells the time.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_NOHASHDIR=1 CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
      CCACHE_SLOPPINESS=pch_defines,time_macros ${FAIRLEAD_CCACHE})
endif()
find_program(FAIRLEAD_MOLD mold)
if(FAIRLEAD_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
