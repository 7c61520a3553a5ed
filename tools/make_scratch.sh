#!/usr/bin/env bash
# Make a folder for the tests' files and print where it is: in memory where there is room for it and programs may be
# run from it (some tests write programs), else where temporary files belong. Whoever asks for it removes it.
set -euo pipefail

memory=${1:-/dev/shm}
need=$((4 * 1024 * 1024))  # kB; a run leaves about a tenth of it

is_roomy() {
    [ "$(df -Pk "$memory" | awk 'NR == 2 { print $4 }')" -ge $need ] &&
        [ "$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)" -ge $((2 * need)) ]
}

runs_programs() {
    printf '#!/bin/sh\n' >"$1/program" && chmod +x "$1/program" && "$1/program" && rm "$1/program"
}

if [ -w "$memory" ] && is_roomy && made=$(mktemp -d "$memory/turnero.XXXXXX"); then
    runs_programs "$made" || { rm -rf "$made" && unset made; }
fi 2>/dev/null
made=${made:-$(mktemp -d)}
chmod 711 "$made"  # PostgreSQL runs as somebody else where we are root
echo "$made"
