#!/bin/sh
# Sets an environment back to what a record declares: the newest one after a release that failed, or the one that is named.
# It runs the record's program and values with the packages of today, which know the state; --own-packages takes the record's.
# usage: scripts/rollback.sh [--yes] [--own-packages] ENVIRONMENT [RECORD], for example scripts/rollback.sh production production/12
set -eu
. "${0%/*}/lib.sh"
choose "$1" "${2:-}"
[ "$own" = yes ] || packages=$(git rev-parse refs/origin/HEAD)
echo "rolling $1 back to $from: $release"
make_tree
preview
if [ "$status" -eq 0 ]; then
  echo "nothing to do: $1 is as $from declares it. To go further back, name a record:"
  git for-each-ref --sort=-version:refname --format='  %(refname:lstrip=3)  %(creatordate:short)  %(contents:subject)' \
    --count=5 "refs/origin/tags/$1/"
  exit 0
fi
report "Rollback of $1 to $from" "It $effect"
if [ "$status" -ne 7 ]; then
  [ "$own" = yes ] || advice="; if the program of $from does not fit the packages of today, add --own-packages, or release a commit that corrects it"
  refuse "$from could not be previewed (above)${advice:-}"
fi
confirm "roll back" "$from"
deploy
