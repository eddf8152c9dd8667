#!/usr/bin/env bash
# Sets an environment to what the default branch says of it now, whatever started the run, and tags that as passed. Reads the line
# again afterwards, and goes on if it has changed. Run it again after whatever happened.
# usage: scripts/deploy.sh ENVIRONMENT
set -euo pipefail
. "${0%/*}/lib.sh"
title="Deployment of $1"

# Runs to the end of what the last run began, then to `release`.
set_environment() {
  [ "${release%%/*}" != refs ] || push_tag "$release"
  make_tree "$1"
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
  # Its tag was moved meanwhile. Another commit may not stay.
  grep -q "instead of $commit" "$tree/up.log"
  push_tag "$release"
  up "$1" --refresh
}

status=0 last=''
while true; do
  fetch
  configure "$1"
  choose "$1"
  [ -n "$release" ] || { echo "there is nothing that $1 is to run yet" && exit; }
  [ "$release $commit" != "$last" ] || break
  last="$release $commit"
  # In a subshell, where the first error ends it: the line may have changed meanwhile.
  set +e
  (set -e && set_environment "$1")
  status=$?
  set -e
done
[ "$status" -eq 0 ] || exit "$status"
push_tag "refs/tags/passed/$1/$mark" "$release, which $1 runs"
echo "$1 runs $release, as the default branch says"
