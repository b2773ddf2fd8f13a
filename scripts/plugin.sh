#!/usr/bin/env bash
# The program as an archive that runs on any Linux, with the libraries that it is linked to: what
# Krew installs as kubectl's plug-in `fairlead`. And Krew's manifest, where it is said from where
# the archive will be served.
#
#   scripts/plugin.sh PRESET [URL]     build/PRESET/package/fairlead_VERSION_linux_ARCH.tar.gz, and
#                                      fairlead.yaml beside it; URL: of the folder that serves it
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
dir=build/$1/package
url=${2:-}
fairlead=build/$1/bin/fairlead
version=$("$fairlead" version | awk '{ print $2 }')
architecture=$(dpkg --print-architecture)
archive=$dir/fairlead_${version}_linux_$architecture.tar.gz
manifest=$dir/fairlead.yaml
plugin=$dir/plugin/fairlead
rm -rf "$dir/plugin" "$manifest"
mkdir -p "$plugin"
scripts/image_tree.sh "$fairlead" "$plugin/root"
rm -r "$plugin/root"/{etc,tmp,lib,lib64,bin}
cp LICENSE "$plugin/"

loader=$(cd "$plugin/root" && find usr -name 'ld-linux*')
libraries=$(cd "$plugin/root" && find usr -name libc.so.6 -printf '%h')
cat >"$plugin/fairlead" <<SCRIPT
#!/bin/sh
# With the libraries that it came with, whatever this machine has.
root=\$(dirname "\$(readlink -f "\$0")")/root
exec "\$root/$loader" --library-path "\$root/$libraries" "\$root/usr/bin/fairlead" "\$@"
SCRIPT
chmod 755 "$plugin/fairlead"
created=$(git log -1 --format=%ct 2>/dev/null || date +%s)
tar -C "$dir/plugin" --sort=name --mtime="@$created" --owner=0 --group=0 --numeric-owner -cf - \
  fairlead | gzip -n >"$archive"
rm -rf "$dir/plugin"
echo "$archive"
if [[ -z $url ]]; then exit 0; fi

cat >"$manifest" <<YAML
apiVersion: krew.googlecontainertools.github.com/v1alpha2
kind: Plugin
metadata:
  name: fairlead
spec:
  version: v$version
  shortDescription: Why work waits, what queues are due, what Fairlead would do
  description: |
    The command line of Fairlead, a batch scheduler: tables of workloads, queues and nodes, why each
    waits and when it will start, plans and simulations of a saved state.
  caveats: |
    It asks a Fairlead that runs at --server, \$FAIRLEAD_SERVER or http://127.0.0.1:8484:
      kubectl port-forward -n fairlead-system deploy/fairlead 8484
  platforms:
  - selector:
      matchLabels: {os: linux, arch: $architecture}
    uri: ${url%/}/${archive##*/}
    sha256: $(sha256sum "$archive" | cut -d ' ' -f 1)
    files:
    - {from: fairlead/*, to: .}
    bin: fairlead
YAML
echo "$manifest"
