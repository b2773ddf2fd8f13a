# What is installed, and the Debian package of it: `cpack -G DEB`, which scripts/package.sh calls.
# Nothing is compiled for it; man pages and completions are what the program prints.
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(debian ${PROJECT_SOURCE_DIR}/deploy/debian)
set(texts ${PROJECT_BINARY_DIR}/package/texts)
set(doc share/doc/fairlead)

install(CODE "execute_process(
  COMMAND ${PROJECT_SOURCE_DIR}/scripts/package_texts.sh $<TARGET_FILE:fairlead> ${texts}
  COMMAND_ERROR_IS_FATAL ANY)")
install(TARGETS fairlead RUNTIME DESTINATION bin)
# `kubectl fairlead` is what kubectl finds under this name.
install(CODE "file(CREATE_LINK fairlead
  \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin/kubectl-fairlead SYMBOLIC)")
install(DIRECTORY ${texts}/ DESTINATION share)
install(FILES ${debian}/fairlead.service DESTINATION lib/systemd/system)
install(FILES deploy/base/configuration.yaml DESTINATION /etc/fairlead)
install(FILES ${debian}/copyright DESTINATION ${doc})
install(DIRECTORY examples DESTINATION ${doc})
install(DIRECTORY deploy/base deploy/components deploy/crds deploy/grafana deploy/helm deploy/policy
  DESTINATION share/fairlead/deploy)

set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGE_CONTACT "Fairlead maintainers <maintainers@fairlead.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "batch scheduler for Kubernetes")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Shares a cluster fairly between queues: gangs, guarantees, borrowing and
reclaiming, room that is kept for work that waits. It says why each pod waits,
what would let it start, and when.
.
\"fairlead up --demo\" is a virtual cluster with a web page on this machine;
\"fairlead run\", and the service of this package, schedule a real one.")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/package)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION admin)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS ca-certificates)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "bash-completion, systemd")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
  ${debian}/conffiles ${debian}/postinst ${debian}/prerm ${debian}/postrm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
