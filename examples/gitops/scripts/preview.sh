#!/bin/sh
# Shows what a release of the commit that is checked out would change in an environment, by default the first. Writes report.md.
# usage: scripts/preview.sh [ENVIRONMENT]
set -eu
. "${0%/*}/lib.sh"
take HEAD
release=refs/tags/release/$(git rev-parse --short=12 "$commit")
make_tree
show "Preview of $environment" "A release of commit $commit"
