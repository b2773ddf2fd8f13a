#!/usr/bin/env bash
# Kubernetes' own filters against ours: random small worlds of one pod, each judged by both.
#
#   test/e2e/filters.sh FAIRLEAD      whose folder holds node_fits
#
# FAIRLEAD_SOAK: that many times as many.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
node_fits=$(realpath "$(dirname "$1")")/node_fits
scripts/cluster.sh filters --worlds $((20000 * ${FAIRLEAD_SOAK:-1})) -- "$node_fits"
