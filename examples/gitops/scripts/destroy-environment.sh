#!/usr/bin/env bash
# Destroys the environment of a pull request, or one that environments.json no longer lists (then set AGENTSERVER_BASE_URL), also
# where a run was killed. Does nothing if there is none. The stack is removed only when it is empty.
# usage: scripts/destroy-environment.sh pr-NUMBER | ENVIRONMENT
set -euo pipefail
. "${0%/*}/lib.sh"
listed=$(list "$1" 'entry?.name ?? ""')
[ "$listed" != "$1" ] || refuse "environments.json lists $1: remove it there first"
commit=$(git rev-parse HEAD) protect=false
case $1 in pr-*) choose "$1" ;; esac
make_tree
run pulumi stack select "$1" >/dev/null 2>&1 || [ $? -ne 6 ] || { echo "there is no environment $1" && exit; }
# It fails on some backends where no run is left to cancel. If the stack stays locked, the next command says so.
run pulumi cancel --stack "$1" --yes || true
inspect "$1"
tags=$(git for-each-ref --format='refs/%(refname:lstrip=2)' "refs/origin/tags/$1/" "refs/origin/tags/passed/$1/")
if [ "$pending" -gt 0 ]; then
  # What a killed create made is not in the state, which records that create: `pulumi up` finds it by that.
  release=$(echo "$tags" | tail -n 1)
  up "$1" --config waitUntil=none
  stack refresh "$1" --clear-pending-creates --yes --skip-preview
fi
stack destroy "$1" --remove --yes --skip-preview
for tag in $tags; do git push --quiet origin --delete "$tag"; done
