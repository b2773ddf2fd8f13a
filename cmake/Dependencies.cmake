# Libraries from Debian's packages, each found once. docs/dependencies.md says why each is used.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(tl-expected REQUIRED)
find_package(Boost 1.81 REQUIRED COMPONENTS json container)
find_package(simdjson REQUIRED)
find_package(ZLIB REQUIRED)
find_package(zstd REQUIRED)
find_package(CLI11 REQUIRED)
find_package(CURL REQUIRED)
find_package(SQLite3 REQUIRED)

find_library(FAIRLEAD_LIBYAML yaml REQUIRED)
find_library(FAIRLEAD_HTTPLIB cpp-httplib REQUIRED)
add_library(fairlead_dep_httplib INTERFACE)
target_link_libraries(fairlead_dep_httplib INTERFACE ${FAIRLEAD_HTTPLIB} Threads::Threads)
# Debian builds the library with these, and they change the layout of its classes.
target_compile_definitions(fairlead_dep_httplib INTERFACE
  CPPHTTPLIB_OPENSSL_SUPPORT CPPHTTPLIB_ZLIB_SUPPORT CPPHTTPLIB_BROTLI_SUPPORT)
find_package(OpenSSL REQUIRED)
target_link_libraries(fairlead_dep_httplib INTERFACE OpenSSL::SSL OpenSSL::Crypto)

# What each room links beside the rooms that it knows.
set(FAIRLEAD_LIBS_base fairlead_version fmt::fmt tl::expected Boost::headers)
set(FAIRLEAD_LIBS_objects Boost::json)
set(FAIRLEAD_LIBS_objects/read
  ${FAIRLEAD_LIBYAML} simdjson::simdjson Boost::json ZLIB::ZLIB zstd::libzstd_shared)
set(FAIRLEAD_LIBS_state Boost::container)
set(FAIRLEAD_LIBS_trace ZLIB::ZLIB zstd::libzstd_shared)
set(FAIRLEAD_LIBS_kube CURL::libcurl Boost::json simdjson::simdjson)
set(FAIRLEAD_LIBS_history SQLite::SQLite3 Boost::json Threads::Threads)
set(FAIRLEAD_LIBS_server fairlead_dep_httplib OpenSSL::SSL OpenSSL::Crypto)
set(FAIRLEAD_LIBS_host spdlog::spdlog)
set(FAIRLEAD_LIBS_cli CLI11::CLI11 spdlog::spdlog fairlead_dep_httplib)
