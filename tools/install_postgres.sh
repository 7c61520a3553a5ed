#!/usr/bin/env bash
# Have PostgreSQL's programs on a Debian machine that is ours to change; elsewhere say what is missing.
# `make test-postgres` needs the programs alone: it boots a server of its own.
set -euo pipefail

if command -v initdb >/dev/null || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null; then
    exit
fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "make test-postgres needs PostgreSQL's programs (initdb, postgres): install your system's postgresql" >&2
    exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get -qq update
apt-get -qq install --no-install-recommends postgresql >/dev/null
