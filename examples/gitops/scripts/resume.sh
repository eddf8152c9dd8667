#!/bin/sh
# Continues after a run that was cancelled or killed: unlocks its stack, repeats its command, clears pending creates.
# Make sure that the run has ended.
# usage: scripts/resume.sh STACK COMMAND [ARGUMENT…], for example scripts/resume.sh staging scripts/release.sh staging
set -eu
stack=$1
shift
# It fails on some backends where no run is left to cancel. If the stack stays locked, the next command says so.
pulumi cancel --stack "$stack" --yes || true
"$@"
pulumi refresh --stack "$stack" --clear-pending-creates --yes --skip-preview --non-interactive
