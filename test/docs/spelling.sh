#!/usr/bin/env bash
# Looks for misspelt words in what people read: the documents, the READMEs, and the notes of what is
# deployed. test/docs/spelling.txt has words that are meant as they are, and why.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
if ! command -v codespell >/dev/null; then
  echo "codespell is missing: scripts/setup.sh cluster" >&2
  exit 1
fi
words=$(grep -v '^#' test/docs/spelling.txt | cut -d' ' -f1 | paste -sd,)
mapfile -t files < <(git ls-files '*.md' 'docs/openapi.yaml' 'deploy/*.yaml' 'deploy/*.json')
codespell --ignore-words-list "$words" "${files[@]}"
echo "${#files[@]} files are spelt as codespell has it"
