#!/bin/sh
# Shows what a release of the commit that is checked out would change in an environment, by default the first. Writes report.md.
# usage: scripts/preview.sh [ENVIRONMENT]
set -eu
. "${0%/*}/lib.sh"
use "${1:-$(environments "" 'all[0].name')}"
commit=$(git rev-parse HEAD)
packages=$commit
release=refs/tags/release/$(git rev-parse --short=12 HEAD)
make_tree
preview "$environment"
report "Preview of $environment" "A release of commit $commit changes this:"
[ "$status" -eq 6 ] || exit "$status"
