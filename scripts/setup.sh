#!/usr/bin/env bash
# Installs the Debian packages that building needs, and says which and why. Packages that are there
# already are left alone, so a second run does nothing.
#
#   scripts/setup.sh            what `make run` and `make bench` need: also a Node.js, unless
#                               there is one
#   scripts/setup.sh lint       also what `make lint`, `make format` and `make fuzz` need
#   scripts/setup.sh package    also what `make package` and `make image` need
#   scripts/setup.sh cluster    also what `make cluster` and `make test` need: a browser; a Go,
#                               unless there is one; where Debian's is too old, that one fetches a
#                               newer
set -euo pipefail

# package, then what Fairlead uses it for
build_packages='
make                    the Makefile
git                     the version shown by "fairlead version"
g++                     the compiler
cmake                   the build description
ninja-build             runs the build
ccache                  keeps compiled files between builds
mold                    links quickly
libboost1.81-dev        flat maps and small vectors
libboost-json1.81-dev   JSON documents
libyaml-dev             long YAML lists, item by item
libsimdjson-dev         fast decoding of API lists
libcli11-dev            the command line
libfmt-dev              text formatting
libspdlog-dev           the log
libexpected-dev         results that are a value or an error
libcpp-httplib-dev      the REST server
libcurl4-openssl-dev    the Kubernetes client
libssl-dev              TLS of the page, and its tokens
libsqlite3-dev          the history
sqlite3                 looks into histories, in tests
libgtest-dev            unit tests
libgmock-dev            unit tests
libbenchmark-dev        benchmarks
libmimalloc-dev         the allocator
zlib1g-dev              compressed inputs (.gz)
libzstd-dev             compressed inputs (.zst)
'
lint_packages='
clang-19                fuzzers
libclang-rt-19-dev      fuzzers and sanitizers of clang
clang-tidy-19           lint
clang-format-19         format
'

package_packages='
python3                 makes man pages, and the layers of the image
dpkg-dev                finds which packages the Debian package depends on
ca-certificates         goes into the image
'
test_packages='
chromium                opens the web page in its tests
python3                 computes reports again, in tests
mmdebstrap              makes the bare Debian that the package is installed in
man-db                  looks for faults in the man pages
systemd                 looks for faults in the unit of the service
umoci                   unpacks the image
coinor-cbc              says who has to go at least, beside plans
codespell               looks for misspelt words in the documents
openssl                 makes certificates, in tests
'
go_packages='
golang-go               builds etcd and Kubernetes for make cluster and tests
ca-certificates         lets Go verify where it fetches its modules from
'
node_packages='
nodejs                  runs the build of the web page, and its tests
npm                     fetches the libraries of the web page
ca-certificates         lets npm verify where it fetches them from
'

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
wanted=$build_packages
fetch_go=false

# Node.js 18 is Debian 12's; a newer one from elsewhere, which brings its npm, is as good.
node_fits() {
  command -v npm >/dev/null && command -v node >/dev/null &&
    node -e 'process.exit(parseInt(process.versions.node) >= 18 ? 0 : 1)'
}
if ! node_fits; then wanted+=$node_packages; fi

case "${1:-}" in
  '') ;;
  lint) wanted+=$lint_packages ;;
  package) wanted+=$package_packages ;;
  cluster)
    wanted+=$package_packages$test_packages
    if ! "$here/go.sh" >/dev/null; then
      wanted+=$go_packages
      fetch_go=true
    fi
    ;;
  *)
    echo "usage: scripts/setup.sh [lint|package|cluster]" >&2
    exit 2
    ;;
esac

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "setup: this is not a Debian system; install these by hand, then go on:" >&2
  awk 'NF { print "  " $0 }' <<<"$wanted" >&2
  exit 1
fi

fetch_go_if_needed() {
  if $fetch_go && ! "$here/go.sh" --download >/dev/null; then
    echo "setup: no Go that is new enough could be had" >&2
    exit 1
  fi
}

names=$(awk 'NF { print $1 }' <<<"$wanted")
# dpkg-query also fails for names that it has never heard of, which are simply missing.
# shellcheck disable=SC2086
present=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' $names 2>/dev/null |
  awk '$2 == "installed" { print $1 }' || true)
missing=$(grep -vxF -f <(printf '%s\n' "${present:--}") <<<"$names" || true)
if [[ -z $missing ]]; then
  fetch_go_if_needed
  exit 0
fi

echo "setup: installing these Debian packages"
awk 'NR == FNR { missing[$1]; next } $1 in missing { print "  " $0 }' \
  <(echo "$missing") <(echo "$wanted")

as_root=()
if [[ $(id -u) != 0 ]]; then
  if ! command -v sudo >/dev/null; then
    echo "setup: run as root, or install sudo: the packages above are missing" >&2
    exit 1
  fi
  as_root=(sudo)
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
install_missing() {
  # shellcheck disable=SC2086
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends $missing </dev/null >"$log" 2>&1
}
# The package lists may be absent or out of date: fetch them only when the install fails without.
if ! install_missing; then
  "${as_root[@]}" apt-get update -q </dev/null >>"$log" 2>&1 || true
  if ! install_missing; then
    tail -n 30 "$log" >&2
    echo "setup: apt-get could not install the packages above" >&2
    exit 1
  fi
fi
fetch_go_if_needed
echo "setup: done"
