#!/bin/sh
# Checks the types and runs the unit tests. Needs no key.
set -eu
npm run types
npm test
