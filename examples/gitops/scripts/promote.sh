#!/bin/sh
# Releases to an environment exactly what the one before it runs, or ran at a record of it, and records it.
# usage: scripts/promote.sh [--yes] ENVIRONMENT [RECORD], for example scripts/promote.sh production staging/7
set -eu
. "${0%/*}/lib.sh"
before=$(environments "$1" 'all[place - 1]?.name ?? ""')
[ -n "$before" ] || refuse "$1 is the first environment: scripts/release.sh $1"
choose "$before" "${2:-}"
echo "promoting $from to $1: $release"
if [ "$yes" = no ]; then
  make_tree
  show "Promotion of $from to $1" "It"
  confirm promote "$from"
fi
deploy
