# Script: writes OUTPUT from TEMPLATE with the version and, where asked for and known, the commit.
set(commit "")
if(COMMIT)
  execute_process(
    COMMAND git -C ${SOURCE_DIR} describe --tags --always --abbrev=10
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
configure_file(${TEMPLATE} ${OUTPUT} @ONLY)
file(TOUCH_NOCREATE ${OUTPUT})
