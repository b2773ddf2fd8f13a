#!/usr/bin/env bash
# The Debian package of a build that is there: build/PRESET/package/fairlead_VERSION_ARCH.deb.
#
#   scripts/package.sh PRESET      PRESET: release or test
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
dir=build/$1
export LC_ALL=C.UTF-8
# Times in the package are those of the commit: the same sources give the same bytes.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || date +%s)
export SOURCE_DATE_EPOCH
mkdir -p "$dir/package"
rm -f "$dir"/package/*.deb
if ! cpack -G DEB --config "$dir/CPackConfig.cmake" >"$dir/package/cpack.log" 2>&1; then
  cat "$dir/package/cpack.log" >&2
  exit 1
fi
rm -rf "$dir/package/_CPack_Packages"
ls "$dir"/package/*.deb
