#!/usr/bin/env bash
# Sets the environment of a pull request to the commit that is checked out. Writes its URL to report.md.
# usage: scripts/environment.sh pr-NUMBER
set -euo pipefail
. "${0%/*}/lib.sh"
title="Environment $1"
fetch
configure "$(list "" 'environments[0].name')"
protect=false commit=$(git rev-parse HEAD)
release=refs/tags/$1/${commit:0:12}
push_tag "$release"
make_tree "$1"
run pulumi stack select --create "$1" >/dev/null
up "$1" --refresh
printf '%s\n\n%s runs commit %s\n' "$title" "$(run pulumi stack output url --stack "$1")" "$commit" | tee report.md
