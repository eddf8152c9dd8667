#!/bin/sh
# Prints the releases that are recorded for a stack, the oldest first: the tag of the record, and the release.
# usage: scripts/records.sh STACK
set -eu
git fetch --quiet --tags origin
git tag --list "$1/*" --sort=version:refname --format='%(refname:short) %(contents:subject)'
