#!/usr/bin/env bash
# Shows what changes in an environment when a proposal is merged: of COMMIT only its line is read, and what it names must be merged
# and have passed. Without arguments: what the commit that is checked out changes in the first one. Writes report.md.
# usage: scripts/preview.sh [ENVIRONMENT COMMIT]
set -euo pipefail
. "${0%/*}/lib.sh"
fetch
environment=${1:-$(list "" 'environments[0].name')}
title="Preview of $environment"
configure "$environment"
if [ $# -gt 0 ]; then
  choose "$environment" "$2"
  [ -n "$release" ] || refuse "the line of $environment names nothing that it can run"
  require_passed "$environment"
else
  commit=$(git rev-parse HEAD)
  name_release
fi
make_tree "$environment"
if run pulumi stack select "$environment" >/dev/null 2>&1; then inspect "$environment"; fi
preview "$environment" "A release of ${release##*/}"
case $status in 0 | 7) ;; *) exit "$status" ;; esac
