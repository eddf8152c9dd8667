#!/bin/sh
# Installs the packages of the lock file. Their install scripts do not run.
set -eu
npm ci --ignore-scripts --no-audit --no-fund
