#!/bin/sh
# Shows what a release of the commit that is checked out would change in a stack. Writes it to a Markdown file too.
# usage: scripts/preview.sh STACK FILE
set -eu
release=refs/tags/release/$(git rev-parse --short=12 HEAD)
status=0
words=$(pulumi preview --stack "$1" --config "release=$release" --non-interactive 2>&1) || status=$?
printf 'Preview of %s\n\n~~~~\n%s\n~~~~\n' "$1" "$words" | tee "$2"
exit "$status"
