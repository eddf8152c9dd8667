#!/usr/bin/env bash
# Compares the service with what the default branch says. Fails if they differ, if a revision failed that another client created,
# or if an environment still serves that is no longer listed. Writes report.md, also of what it refuses.
# usage: scripts/drift.sh ENVIRONMENT
set -euo pipefail
. "${0%/*}/lib.sh"
title="Drift of $1"
trap '[ $? -eq 0 ] || [ -f report.md ] || printf "%s\n\nIt could not be compared: see the log.\n" "$title" >report.md' EXIT
fetch
if [ -z "$(list "$1" 'entry?.name ?? ""')" ]; then
  commit=$(git rev-parse "$main")
  make_tree "$1"
  run pulumi stack select "$1" 2>/dev/null || { echo "$1 is neither listed nor deployed" && exit; }
  refuse "environments.json lists no $1, which serves $(run pulumi stack output url --stack "$1"): list it again, or see \"Remove an environment\" in the README"
fi
configure "$1"
choose "$1"
[ -n "$release" ] || { echo "there is nothing that $1 is to run yet" && exit; }
if [ "${release%%/*}" = refs ]; then
  now=$(git rev-parse --verify --quiet "refs/origin/${release#refs/}") || now=missing
  [ "$now" = "$commit" ] || refuse "$release was moved: it is $now instead of $commit; scripts/deploy.sh $1 moves it back"
fi
make_tree "$1"
if run pulumi stack select "$1" >/dev/null 2>&1; then inspect "$1"; fi
preview "$1" "$line is $release, which"
# A failed revision of the same values is no change, so Pulumi's exit code is 0.
if [ "$status" -eq 0 ] && printf '%s\n' "$words" | grep -q 'a push or another client created it'; then
  status=1
  report "A revision failed that no release created:"
fi
exit "$status"
