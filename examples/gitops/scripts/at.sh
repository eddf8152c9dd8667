#!/bin/sh
# Runs a command in the repository as it was at a record: program, settings and packages.
# usage: scripts/at.sh RECORD COMMAND [ARGUMENT…]
set -eu
record=$1
shift
tree=$(mktemp -d)
trap 'git worktree remove --force "$tree"' EXIT
git worktree add --quiet --detach "$tree" "$record"
cd "$tree"
scripts/install.sh >/dev/null
"$@"
