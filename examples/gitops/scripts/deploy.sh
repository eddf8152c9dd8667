#!/usr/bin/env bash
# Sets an environment to what the default branch says of it now, whatever started the run, and tags that as passed. Then reads the
# line again, and goes on if it has changed. Run it again after whatever happened.
# usage: scripts/deploy.sh ENVIRONMENT, or pr-NUMBER for the commit that is checked out
set -euo pipefail
. "${0%/*}/lib.sh"

set_environment() {
  case $release in refs/*) push_tag "$release" ;; esac
  make_tree
  run pulumi stack select --create "$1" >/dev/null
  inspect "$1"
  if [ "$pending" -gt 0 ]; then
    # Without a refresh: what a killed run has requested is followed, with its smoke check and gate.
    up "$1"
    stack refresh "$1" --clear-pending-creates --yes --skip-preview
  fi
  preview "$1" "$line is $release, which"
  case $status in 0) return ;; 7) ;; *) exit "$status" ;; esac
  up "$1" --refresh && return
  # Its tag was moved meanwhile. No other commit may stay.
  grep -q "instead of $commit" "$tree/up.log"
  push_tag "$release"
  up "$1" --refresh
}

status=0 last=''
while true; do
  choose "$1"
  [ "$release $commit" != "$last" ] || break
  [ -n "$release" ] || { echo "there is nothing that $1 is to run yet" && exit; }
  last="$release $commit"
  # In a shell of its own, which ends at the first error: the line may have changed meanwhile.
  set +e
  (set -e && set_environment "$1")
  status=$?
  set -e
  fetch
done
[ "$status" -eq 0 ] || exit "$status"
case $1 in
pr-*) url=$(run pulumi stack output url --stack "$1") && printf '%s\n\n%s runs commit %s\n' "$title" "$url" "$commit" | tee report.md ;;
*) push_tag "refs/tags/passed/$1/$mark" && echo "$1 runs $release, as the default branch says" ;;
esac
