#!/bin/sh
# Continues after a run that was cancelled or killed: unlocks the stack, repeats what ran, clears pending creates. That is the
# release or the promotion, or with a record of this environment the rollback. Make sure that the run has ended.
# usage: scripts/resume.sh ENVIRONMENT [RECORD]
set -eu
. "${0%/*}/lib.sh"
take HEAD
make_tree
# It fails on some backends where no run is left to cancel. If the stack stays locked, the next command says so.
run pulumi cancel --stack "$1" --yes || true
case ${2:-} in
"$1"/*) scripts/rollback.sh --yes "$1" "$2" ;;
?*) scripts/promote.sh --yes "$1" "$2" ;;
*) if [ "$(environments "$1" place)" -eq 0 ]; then scripts/release.sh "$1"; else scripts/promote.sh --yes "$1"; fi ;;
esac
stack refresh "$1" --clear-pending-creates --yes --skip-preview
