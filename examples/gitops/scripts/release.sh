#!/bin/sh
# Sets the first environment to the commit that is checked out, or to an image of it, and records it.
# usage: scripts/release.sh ENVIRONMENT [IMAGE@DIGEST]
set -eu
. "${0%/*}/lib.sh"
[ "$(environments "$1" place)" -eq 0 ] || refuse "$1 is promoted to: scripts/promote.sh $1"
fetch
take HEAD
require_merged "$commit"
if [ $# -gt 1 ]; then release=$2; else tag release; fi
deploy
