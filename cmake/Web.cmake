# The web page: web/ bundled by esbuild and put into fairlead_server, gzipped, and the lab of `up
# --demo` with it. npm installs what the
# lock file pins into build/*/web, again only when that changes; the sources stay as they are.
# Builds with tests also get what these need: the type checker, playwright and axe.
find_program(FAIRLEAD_NODE NAMES node nodejs REQUIRED)
find_program(FAIRLEAD_NPM npm REQUIRED)

set(web ${PROJECT_SOURCE_DIR}/web)
set(FAIRLEAD_WEB ${PROJECT_BINARY_DIR}/web)
set(manifests package.json package-lock.json .npmrc)
list(TRANSFORM manifests PREPEND ${web}/ OUTPUT_VARIABLE manifest_files)
set(which_packages --omit=dev)
if(FAIRLEAD_TESTS)
  set(which_packages --include=dev)
endif()
add_custom_command(
  OUTPUT ${FAIRLEAD_WEB}/installed
  COMMAND ${CMAKE_COMMAND} -E make_directory ${FAIRLEAD_WEB}
  COMMAND ${CMAKE_COMMAND} -E copy ${manifest_files} ${FAIRLEAD_WEB}
  COMMAND ${CMAKE_COMMAND} -E chdir ${FAIRLEAD_WEB}
          ${FAIRLEAD_NPM} ci ${which_packages} --loglevel=error --no-progress
  COMMAND ${CMAKE_COMMAND} -E touch ${FAIRLEAD_WEB}/installed
  DEPENDS ${manifest_files}
  COMMENT "Installing the page's libraries"
  VERBATIM)

file(GLOB_RECURSE sources CONFIGURE_DEPENDS
  ${web}/src/*.ts ${web}/src/*.tsx ${web}/src/*.css ${web}/src/*.html)
file(GLOB builders CONFIGURE_DEPENDS ${web}/*.mjs)
file(GLOB demo CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/research-lab/*.yaml)
set(page_files ${PROJECT_BINARY_DIR}/gen/page_files.cc)
add_custom_command(
  OUTPUT ${page_files}
  COMMAND ${FAIRLEAD_NODE} ${web}/build.mjs ${FAIRLEAD_WEB}/node_modules ${FAIRLEAD_WEB}/dist
          ${page_files}
  DEPENDS ${sources} ${builders} ${demo} ${PROJECT_SOURCE_DIR}/LICENSE ${FAIRLEAD_WEB}/installed
  COMMENT "Building the web page"
  VERBATIM)
target_sources(fairlead_server PRIVATE ${page_files})

add_custom_target(page_modules DEPENDS ${FAIRLEAD_WEB}/installed)

# For the type checker: web/tsconfig.json, with libraries from where they are.
file(CONFIGURE OUTPUT ${FAIRLEAD_WEB}/tsconfig.json CONTENT [[
{
  "extends": "@web@/tsconfig.json",
  "compilerOptions": {"paths": {"*": ["./node_modules/*"]}},
  "include": ["@web@/src"]
}
]] @ONLY)
