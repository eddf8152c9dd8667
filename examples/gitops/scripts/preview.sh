#!/usr/bin/env bash
# Shows what changes in an environment when a proposal is merged. Of COMMIT only the line is read: what that names must be merged
# and have passed. Without arguments: what the commit that is checked out changes in the first environment. Writes report.md.
# usage: scripts/preview.sh [ENVIRONMENT COMMIT]
set -euo pipefail
. "${0%/*}/lib.sh"
environment=${1:-$(list "" 'environments[0].name')}
title="preview $environment"
choose "$environment" "${2:-$main}"
if [ $# -eq 0 ]; then name_release release "$(git rev-parse HEAD)"; fi
require_passed "$environment"
make_tree
preview "$environment" "The release ${release##*/}"
[ "$status" -eq 7 ] || exit "$status"
