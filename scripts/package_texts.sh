#!/usr/bin/env bash
# What the program says of itself, as files below share/: man pages, completions for the shells, and
# what changed.
#
#   scripts/package_texts.sh FAIRLEAD DIRECTORY
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
fairlead=$1
into=$2
rm -rf "$into"
mkdir -p "$into"/{bash-completion/completions,zsh/vendor-completions,fish/vendor_completions.d}
"$fairlead" completion bash >"$into/bash-completion/completions/fairlead"
"$fairlead" completion zsh >"$into/zsh/vendor-completions/_fairlead"
"$fairlead" completion fish >"$into/fish/vendor_completions.d/fairlead.fish"
"$here/man_pages.py" "$fairlead" "$into/man/man1"
gzip -9n "$into"/man/man1/*.1
version=$("$fairlead" version | sed -nE '1s/^fairlead ([0-9.]+).*/\1/p')
mkdir -p "$into/doc/fairlead"
"$here/debian_changelog.py" "$version" | gzip -9n >"$into/doc/fairlead/changelog.gz"
