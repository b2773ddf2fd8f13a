#!/usr/bin/env bash
# The Debian package: made of a build that is there, looked over, installed in a bare Debian of its
# own, used as somebody would who has nothing else, and purged.
#
#   test/package/package.sh PRESET           Debian's packages are unpacked and not set up
#   SLOW=1 test/package/package.sh PRESET    they are, and apt installs ours
set -euo pipefail
if [[ $(id -u) != 0 ]]; then exec sudo -n "${BASH_SOURCE[0]}" "$@"; fi # to make a root of its own
source "$(dirname "${BASH_SOURCE[0]}")/../e2e/lib.sh"
unset FAIRLEAD_SERVER
begin=$SECONDS
deb=$("$root/scripts/package.sh" "$1") # from the top of the checkout
cd "$root"
version=$(sed -nE 's/^project\(fairlead VERSION ([0-9.]+).*/\1/p' "$root/CMakeLists.txt")
expect 0 "/fairlead_${version}_$(dpkg --print-architecture)\.deb$" echo "$deb"

# A bare root, of what this machine's apt knows; which may be older than what there is to download.
bare=$scratch/root
mapfile -t sources < <(
  ls /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} 2>/dev/null)
bare_root() {
  local try
  for try in first second; do
    if mmdebstrap --quiet --skip=update,cleanup/apt \
      --setup-hook='mkdir -p "$1"/var/lib/apt/lists' \
      --setup-hook='cp /var/lib/apt/lists/*_* "$1"/var/lib/apt/lists/' \
      "$@" '' "$bare" "${sources[@]}" >"$scratch/mmdebstrap.log" 2>&1; then
      return
    fi
    rm -rf "$bare"
    if [[ $try == first ]]; then apt-get update -q >"$scratch/update.log" 2>&1 || true; fi
  done
  if grep -qE 'Failed to fetch|Could not (resolve|connect)' "$scratch/mmdebstrap.log"; then
    echo "skipped: Debian's packages are not to be had here: there is no bare root"
    exit 0
  fi
  cat "$scratch/mmdebstrap.log" >&2
  fail 'there is no bare root'
}
depends=$(dpkg-deb --field "$deb" Depends | sed 's/([^)]*)//g; s/ //g')
if [[ -n ${SLOW:-} ]]; then
  bare_root --variant=apt --dpkgopt=force-unsafe-io
  install=(apt-get install -yq --no-install-recommends)
else
  tools=base-files,bash,coreutils,dash,diffutils,dpkg,libc-bin,tar
  bare_root --variant=extract --include="$tools,$depends"
  install=(dpkg --force-depends --install)
fi
# What its Depends name is to be had: apt would install it where nothing is.
: >"$scratch/nothing"
expect 0 '^Conf fairlead ' apt-get install --simulate --no-install-recommends \
  -o "Dir::State::status=$scratch/nothing" "$root/$deb"
cp "$deb" "$bare/tmp/"
chroot "$bare" "${install[@]}" "/tmp/${deb##*/}" >"$scratch/install.log" 2>&1 ||
  fail 'it cannot be installed'
echo "- installed after $((SECONDS - begin)) s"

# As a user without rights, who has a directory to write to.
in_root=(chroot --userspec=65534:65534 "$bare"
  /usr/bin/env -i PATH=/usr/bin:/bin HOME=/tmp LC_ALL=C.UTF-8)
expect 0 "^fairlead $version" "${in_root[@]}" fairlead version
expect 0 "^fairlead $version" "${in_root[@]}" kubectl-fairlead version # as kubectl calls it
expect 0 '^Plan at ' "${in_root[@]}" fairlead plan -f /usr/share/doc/fairlead/examples/quickstart
expect 0 'no faults' "${in_root[@]}" fairlead validate --config /etc/fairlead/configuration.yaml \
  -f /usr/share/doc/fairlead/examples/quickstart

"${in_root[@]}" fairlead up --demo --port 0 >"$scratch/up.log" 2>&1 &
server=$!
on_exit kill_process "$server"
wait_for 30 grep -q 'http://' "$scratch/up.log"
url=$(grep -o 'http://[0-9.:]*' "$scratch/up.log" | head -n 1)
expect 0 '<title>' curl --silent --fail --header 'Accept: text/html' "$url/"
expect 0 '^fairlead_history_bytes' curl --silent --fail "$url/metrics"
expect 0 '^h100-1 +Ready' "${in_root[@]}" fairlead get nodes --server "$url"
kill "$server"
wait "$server" || fail "up ended with $?"

# Every command has a man page without a fault of form, which has all of its flags.
mapfile -t commands < <("${in_root[@]}" fairlead help |
  sed -nE '/^Commands/,/^$/s/^  ([a-z]+([ -][a-z]+)*)  .*/\1/p')
((${#commands[@]} >= 15)) || fail "only ${#commands[@]} commands"
for command in '' "${commands[@]}"; do
  page=fairlead${command:+-${command// /-}}.1.gz
  MANWIDTH=200 man --warnings -E UTF-8 -Tutf8 -l "$bare/usr/share/man/man1/$page" \
    >"$scratch/page" 2>"$scratch/warnings" </dev/null
  if [[ -s $scratch/warnings ]]; then fail "$page: $(cat "$scratch/warnings")"; fi
  sed -E 's/.\x08//g; s/\x1b\[[0-9;]*m//g' "$scratch/page" >"$scratch/plain" # no bold
  # shellcheck disable=SC2086
  "${in_root[@]}" fairlead help $command |
    sed -nE 's/^ +((-[a-zA-Z], )?--[a-z-]+).*/\1/p' >"$scratch/flags"
  [[ -s $scratch/flags ]] || fail "help $command shows no flags"
  while IFS= read -r flag; do
    grep -qF -- " $flag" "$scratch/plain" || fail "$page lacks $flag"
  done <"$scratch/flags"
done

# Completions are those that the program prints, where the shells look for them.
for place in bash:bash-completion/completions/fairlead zsh:zsh/vendor-completions/_fairlead \
  fish:fish/vendor_completions.d/fairlead.fish; do
  "${in_root[@]}" fairlead completion "${place%%:*}" | cmp - "$bare/usr/share/${place#*:}" ||
    fail "the completion for ${place%%:*} is another"
done
expect 0 '^plan $' bash -c "source '$bare/usr/share/bash-completion/completions/fairlead'
  COMP_WORDS=(fairlead pla) COMP_CWORD=1; _fairlead; echo \"\${COMPREPLY[*]} \""

# What changed, as Debian's tools read it: the newest entry is of this version.
zcat "$bare/usr/share/doc/fairlead/changelog.gz" >"$scratch/changelog"
expect 0 "^$version\$" dpkg-parsechangelog -l "$scratch/changelog" -S Version
expect 0 'gangs' dpkg-parsechangelog -l "$scratch/changelog" -S Changes

# The service: no fault in its unit, and no power that it does not need.
unit=$scratch/fairlead.service
sed "s|^ExecStart=/|ExecStart=$bare/|" "$bare/usr/lib/systemd/system/fairlead.service" >"$unit"
systemd-analyze verify --man=no "$unit" >"$scratch/out" 2>&1 || true
if [[ -s $scratch/out ]]; then fail 'the unit has faults'; fi
expect 0 'exposure level .* OK' systemd-analyze security --offline=true --threshold=15 "$unit"

# What was edited stays when the package goes, and all goes when it is purged.
chroot "$bare" dpkg --remove fairlead >"$scratch/out" 2>&1 || fail 'it cannot be removed'
[[ -f $bare/etc/fairlead/configuration.yaml ]] || fail 'the configuration is gone'
chroot "$bare" dpkg --purge fairlead >"$scratch/out" 2>&1 || fail 'it cannot be purged'
left=$(find "$bare" -xdev -name '*fairlead*' -not -path "$bare/tmp/*" -not -path "$bare/proc/*")
if [[ -n $left ]]; then fail "left behind: $left"; fi
echo "package: passed, $(du -h "$deb" | cut -f 1), in $((SECONDS - begin)) s"
