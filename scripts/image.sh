#!/usr/bin/env bash
# An OCI image of a build that is there, without a container daemon: the program, the libraries that
# it is linked to as this Debian has them, and the certificates of authorities. Nothing else is in
# it: no shell, no package manager.
#
#   scripts/image.sh PRESET      build/PRESET/package/fairlead_VERSION_ARCH.oci.tar
#
# `podman load -i`, `docker load -i`, `skopeo copy oci-archive:…` and kind read it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
dir=build/$1/package
fairlead=build/$1/bin/fairlead
export LC_ALL=C.UTF-8
version=$("$fairlead" version | awk '{ print $2 }')
architecture=$(dpkg --print-architecture)
image=$dir/fairlead_${version}_$architecture.oci.tar
tree=$dir/image
scripts/image_tree.sh "$fairlead" "$tree"
created=$(git log -1 --format=%ct 2>/dev/null || date +%s)
scripts/oci_image.py "$tree" "$image" --version "$version" --architecture "$architecture" \
  --created "$created"
rm -rf "$tree"
echo "$image"
