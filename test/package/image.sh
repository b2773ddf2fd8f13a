#!/usr/bin/env bash
# The image: made of a build that is there, unpacked by another's tool, and run as its configuration
# says: that user, nothing writable, no other file of this machine.
#
#   test/package/image.sh PRESET
set -euo pipefail
if [[ $(id -u) != 0 ]]; then exec sudo -n "${BASH_SOURCE[0]}" "$@"; fi # to enter the root
source "$(dirname "${BASH_SOURCE[0]}")/../e2e/lib.sh"
unset FAIRLEAD_SERVER
begin=$SECONDS
image=$("$root/scripts/image.sh" "$1") # from the top of the checkout
cd "$root"
version=$(sed -nE 's/^project\(fairlead VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)

mkdir "$scratch/layout"
tar -xf "$image" -C "$scratch/layout"
umoci unpack --image "$scratch/layout:$version" "$scratch/bundle" >"$scratch/umoci.log" 2>&1 ||
  fail 'umoci does not read it'
rootfs=$scratch/bundle/rootfs
# of FIELD…: what the image's configuration says, a line a value.
of() {
  python3 - "$scratch/bundle/config.json" "$@" <<'PY'
import json, sys
value = json.load(open(sys.argv[1]))
for field in sys.argv[2:]:
    value = value[field]
print(*(value if isinstance(value, list) else [value]), sep="\n")
PY
}
user=$(of process user uid)
[[ $user == 65532 && $(of process user gid) == 65532 ]] || fail "it runs as $user"
[[ $(of process args) == /usr/bin/fairlead ]] || fail "it runs $(of process args)"

# Small, without a shell, and nothing in it is the user's but where the history goes.
for each in "$image" "$rootfs"; do
  megabytes=$(du --apparent-size -sm "$each" | cut -f 1)
  ((megabytes < 80)) || fail "$each: $megabytes MB"
done
programs=$(find "$rootfs/usr/bin/" -mindepth 1 -printf '%f ')
[[ $programs == 'fairlead ' ]] || fail "programs: $programs"
owned=$(find "$rootfs" \( -not -uid 0 -or -perm -o+w \) -not -type l -printf '%P ')
[[ $(tr ' ' '\n' <<<"$owned" | sort | xargs) == 'tmp var/lib/fairlead' ]] ||
  fail "not root's alone: $owned"
grep -q 'BEGIN CERTIFICATE' "$rootfs/etc/ssl/certs/ca-certificates.crt" || fail 'no certificates'
# Each library's licence, and its package as scanners look for it.
((packages = $(find "$rootfs/var/lib/dpkg/status.d" -type f | wc -l), packages >= 20)) ||
  fail "only $packages packages are noted"
for package in "$rootfs"/var/lib/dpkg/status.d/*; do
  [[ -s $rootfs/usr/share/doc/${package##*/}/copyright ]] || fail "no licence of ${package##*/}"
  grep -q '^Version: ' "$package" || fail "no version of ${package##*/}"
done

mapfile -t environment < <(of process env)
if ! mount --bind "$rootfs" "$rootfs" 2>"$scratch/mount.log"; then
  echo "image: looked over, and not run: $(cat "$scratch/mount.log")"
  exit 0
fi
on_exit umount "$rootfs"
mount -o remount,bind,ro "$rootfs"
in_image=(env -i "${environment[@]}" "$(command -v chroot)" "--userspec=$user:$user" "$rootfs"
  /usr/bin/fairlead)
expect 0 "^fairlead $version" "${in_image[@]}" version
"${in_image[@]}" up --demo --port 0 >"$scratch/up.log" 2>&1 &
server=$!
on_exit kill_process "$server"
wait_for 30 grep -q 'http://' "$scratch/up.log"
url=$(grep -o 'http://[0-9.:]*' "$scratch/up.log" | head -n 1)
expect 0 '<title>' curl --silent --fail --header 'Accept: text/html' "$url/"
expect 0 '^h100-1 +Ready' "${in_image[@]}" get nodes --server "$url"
kill "$server"
wait "$server" || fail "up ended with $?"

# What deploy/ installs is this image.
expect 0 "image: fairlead:$version$" cat deploy/base/deployment.yaml
expect 0 "^appVersion: $version$" cat deploy/helm/fairlead/Chart.yaml
packed=$(du -h "$image" | cut -f 1)
unpacked=$(du -sh "$rootfs" | cut -f 1)
echo "image: passed, $packed packed, $unpacked unpacked, in $((SECONDS - begin)) s"
