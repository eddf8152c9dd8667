#!/bin/sh
# Installs the packages of the lock file. Their install scripts do not run, and what npm has cached needs no registry.
set -eu
npm ci --prefer-offline --ignore-scripts --no-audit --no-fund
