#!/bin/sh
# Destroys the environment of a pull request, also one whose run was killed. Does nothing if there is none. The stack is
# removed only when it is empty.
# usage: scripts/destroy-environment.sh pr-NUMBER
set -eu
. "${0%/*}/lib.sh"
case $1 in pr-*) ;; *) refuse "$1 is no environment of a pull request" ;; esac
take HEAD
make_tree
run pulumi stack select "$1" >/dev/null 2>&1 || [ $? -ne 6 ] || { echo "there is no environment $1" && exit; }
# As in resume.sh.
run pulumi cancel --stack "$1" --yes || true
tags=$(git ls-remote origin "refs/tags/$1/*" | cut -f 2)
pending=$(run pulumi stack export --stack "$1" | node -p '
  (JSON.parse(fs.readFileSync(0)).deployment.pending_operations ?? []).length')
if [ "$pending" -gt 0 ]; then
  # What a killed create made is not in the state, which records that create: `pulumi up` finds it by that.
  release=$(echo "$tags" | tail -n 1)
  up "$1" --config waitUntil=none
  stack refresh "$1" --clear-pending-creates --yes --skip-preview
fi
stack destroy "$1" --remove --yes --skip-preview
for tag in $tags; do git push --quiet origin --delete "$tag"; done
