#!/usr/bin/env bash
# Compares the service with what the default branch says. Fails if they differ, if a revision failed that another client created, or
# if the environment is no longer listed and still there. Writes report.md, also where it could not compare.
# usage: scripts/drift.sh ENVIRONMENT
set -euo pipefail
. "${0%/*}/lib.sh"
trap '[ $? -eq 0 ] || [ -f report.md ] || printf "%s\n\nIt could not be compared: see the log.\n" "$title" >report.md' EXIT
listed=$(list "$1" 'entry?.name ?? ""')
if [ -z "$listed" ]; then
  commit=$(git rev-parse "$main")
  make_tree
  run pulumi stack select "$1" || [ $? -ne 6 ] || { echo "$1 is neither listed nor deployed" && exit; }
  refuse "environments.json lists no $1, and $(run pulumi stack output url --stack "$1" || echo "something") is its deployment: list it again, or remove it as the README says"
fi
choose "$1"
[ -n "$release" ] || { echo "there is nothing that $1 is to run yet" && exit; }
now=$(git rev-parse --verify --quiet "refs/origin/${release#refs/}") || now=missing
[[ $now = "$commit" || $release = *@* ]] || refuse "$release was moved: it is $now instead of $commit; scripts/deploy.sh $1 moves it back"
make_tree
preview "$1" "$line is $release, which"
# A failed revision of the same values is no change, so Pulumi's exit code is 0.
if [ "$status" -eq 0 ] && printf '%s\n' "$words" | grep -q 'a push or another client created it'; then
  report "A revision failed that no release created. Another release"
  status=1
fi
exit "$status"
