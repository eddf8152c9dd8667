#!/bin/sh
# Sets the environment of a pull request to the commit that is checked out. Writes its URL to report.md.
# usage: scripts/environment.sh pr-NUMBER
set -eu
. "${0%/*}/lib.sh"
take HEAD
tag "$1"
make_tree
up "$1"
url=$(run pulumi stack output url --stack "$1")
printf 'Environment %s\n\n%s runs commit %s\n' "$1" "$url" "$commit" | tee report.md
