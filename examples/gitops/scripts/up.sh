#!/bin/sh
# Sets a stack to a release. Creates the stack if it does not exist.
# usage: scripts/up.sh STACK RELEASE
set -eu
pulumi stack select --create "$1"
pulumi up --stack "$1" --config "release=$2" --refresh --yes --skip-preview --non-interactive
