#!/usr/bin/env bash
# kubectl's plug-in, as Krew would install it: the archive that its manifest names, unpacked and
# linked under the name that kubectl looks for. It uses no library of this machine.
#
#   test/package/plugin.sh PRESET
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../e2e/lib.sh"
unset FAIRLEAD_SERVER
"$root/scripts/cluster.sh" build # for its kubectl
begin=$SECONDS
mapfile -t made < <("$root/scripts/plugin.sh" "$1" https://releases.example/fairlead/)
cd "$root" # from whose top the names are
archive=${made[0]}
manifest=${made[1]}
version=$(sed -nE 's/^project\(fairlead VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)

# What the manifest says of the archive, as Krew reads it.
field() { sed -nE "s/^ *(- )?$1: (.*)/\2/p" "$manifest"; }
[[ $(field name) == fairlead && $(field version) == "v$version" ]] || fail 'another plug-in'
[[ $(field uri) == "https://releases.example/fairlead/${archive##*/}" ]] || fail "$(field uri)"
echo "$(field sha256)  $archive" | sha256sum --check --quiet || fail 'another archive'
# It can be read: only its kind is not ours.
expect 2 'objects of kind Plugin \(krew' "build/$1/bin/fairlead" validate -f "$manifest"

mkdir "$scratch/store" "$scratch/bin"
tar -xf "$archive" -C "$scratch/store" --strip-components 1 # "from: fairlead/*, to: ."
ln -s "$scratch/store/$(field bin)" "$scratch/bin/kubectl-fairlead"
PATH=$scratch/bin:$PATH
expect 0 "^fairlead $version" "$root/build/cluster/kubectl" fairlead version
expect 0 '^Plan at ' "$root/build/cluster/kubectl" fairlead plan -f examples/quickstart

kubectl-fairlead up --demo --port 0 >"$scratch/up.log" 2>&1 &
server=$!
on_exit kill_process "$server"
wait_for 30 grep -q 'http://' "$scratch/up.log"
others=$(awk '$6 ~ /\.so/ { print $6 }' "/proc/$server/maps" | grep -v "^$scratch/store/" || true)
if [[ -n $others ]]; then fail "of this machine: $others"; fi
grep -q "$scratch/store/.*/libcurl" "/proc/$server/maps" || fail 'without its own libraries'
url=$(grep -o 'http://[0-9.:]*' "$scratch/up.log" | head -n 1)
expect 0 '^h100-1 +Ready' "$root/build/cluster/kubectl" fairlead get nodes --server "$url"
kill "$server"
wait "$server" || fail "up ended with $?"
echo "plugin: passed, $(du -h "$archive" | cut -f 1), in $((SECONDS - begin)) s"
