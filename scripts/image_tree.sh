#!/usr/bin/env bash
# All that a program needs, and nothing else: itself, the libraries that it is linked to as this
# Debian has them, and the certificates of authorities.
#
#   scripts/image_tree.sh FAIRLEAD TREE      TREE: a directory, made anew
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
fairlead=$1
tree=$2
export LC_ALL=C.UTF-8
rm -rf "$tree"
mkdir -p "$tree"/{etc/ssl/certs,tmp,usr/{bin,lib,share/doc},var/lib/{dpkg/status.d,fairlead}}
# As in Debian 12: /lib is /usr/lib.
for each in bin lib lib64; do
  mkdir -p "$tree/usr/$each"
  ln -s "usr/$each" "$tree/$each"
done

# note_package NAME: its licence, and that it is there, as scanners look for it.
note_package() {
  local doc=/usr/share/doc/$1
  if [[ -e $tree/var/lib/dpkg/status.d/$1 ]]; then return; fi
  mkdir -p "$tree/usr/share/doc/$1"
  cp -L "$doc/copyright" "$tree/usr/share/doc/$1/"
  dpkg-query --status "$1" | sed '/^Conffiles:/,/^[^ ]/{/^Conffiles:/d;/^ /d}' \
    >"$tree/var/lib/dpkg/status.d/$1"
}

strip -o "$tree/usr/bin/fairlead" "$fairlead"
mapfile -t libraries < <(ldd "$fairlead" | sed -nE 's/^[^/]*(\/[^ ]+) \(0x.*/\1/p')
# Of which Debian package each is; some are known below /lib alone.
mapfile -t files < <(realpath "${libraries[@]}")
declare -A package_of=()
while IFS= read -r line; do # "libc6:amd64: /lib/x86_64-linux-gnu/libc.so.6"
  file=${line##*: }
  package_of[/usr${file#/usr}]=${line%%:*}
done < <(dpkg-query --search "${files[@]}" "${files[@]#/usr}" 2>/dev/null)
for i in "${!libraries[@]}"; do
  library=${libraries[i]}
  package=${package_of[${files[i]}]:-}
  if [[ -z $package ]]; then
    echo "image: ${files[i]} is of no Debian package" >&2
    exit 1
  fi
  note_package "$package"
  # Under the name by which it is asked for, which is a link to the file.
  mkdir -p "$tree/usr${library%/*}"
  cp -L "$library" "$tree/usr${library#/usr}"
done
cp -L /etc/ssl/certs/ca-certificates.crt "$tree/etc/ssl/certs/"
note_package ca-certificates
mkdir -p "$tree/usr/share/doc/fairlead"
cp LICENSE "$tree/usr/share/doc/fairlead/"
cp /etc/debian_version "$tree/etc/"
cp -L /etc/os-release "$tree/usr/lib/os-release"
ln -s ../usr/lib/os-release "$tree/etc/os-release"
echo 'fairlead:x:65532:65532:Fairlead:/var/lib/fairlead:/sbin/nologin' >"$tree/etc/passwd"
echo 'fairlead:x:65532:' >"$tree/etc/group"
