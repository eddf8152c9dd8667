#!/bin/sh
# Destroys the environment of a pull request, also one whose run was killed. Does nothing if there is none. The stack is
# removed only when it is empty.
# usage: scripts/destroy-environment.sh pr-NUMBER
set -eu
. "${0%/*}/lib.sh"
use "$1"
case $1 in pr-*) ;; *) refuse "$1 is no environment of a pull request" ;; esac
commit=$(git rev-parse HEAD)
packages=$commit
make_tree
status=0
run pulumi stack select "$1" || status=$?
if [ "$status" -eq 6 ]; then # Pulumi's exit code for "stack not found"
  echo "there is no environment $1"
  exit 0
fi
[ "$status" -eq 0 ] || exit "$status"

# As in resume.sh.
run pulumi cancel --stack "$1" --yes || true
tags=$(git ls-remote origin "refs/tags/$1/*" | cut -f 2)
pending=$(run pulumi stack export --stack "$1" | node -p '
  (JSON.parse(fs.readFileSync(0)).deployment.pending_operations ?? []).length')
if [ "$pending" -gt 0 ]; then
  # What a killed create made is not in the state, which records that create: `pulumi up` finds it by that.
  run pulumi up --stack "$1" --config "release=$(echo "$tags" | tail -n 1)" --config waitUntil=none \
    --yes --skip-preview --non-interactive
  run pulumi refresh --stack "$1" --clear-pending-creates --yes --skip-preview --non-interactive
fi
run pulumi destroy --stack "$1" --remove --yes --skip-preview --non-interactive
for tag in $tags; do git push --quiet origin --delete "$tag"; done
