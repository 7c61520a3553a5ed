#!/usr/bin/env bash
# Write the locks anew. uv goes into an environment of its own, which is thrown away afterwards.
# With arguments they are passed to uv, for example: tools/lock.sh --upgrade
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"${PYTHON:-python3}" -m venv "$scratch/venv"
"$scratch/venv/bin/python" -m pip --no-input --disable-pip-version-check -qq install uv

# Without a header and without configuration no index address and no path of this machine gets in.
compile() {
    "$scratch/venv/bin/uv" pip compile --no-config --universal --python-version "${oldest:-3.11}" \
        --generate-hashes --no-header --quiet "$@"
}
compile "$@" --group dev pyproject.toml -o requirements.txt
compile "$@" jobs/demo/spirit-build.in -o jobs/demo/spirit-build.txt
compile "$@" jobs/demo/spirit-requirements.in -o jobs/demo/spirit-requirements.txt
oldest=3.12 compile "$@" jobs/demo/flaskbb-requirements.in -o jobs/demo/flaskbb-requirements.txt
compile "$@" jobs/demo/misago-build.in -o jobs/demo/misago-build.txt
compile "$@" jobs/demo/misago-requirements.in -o jobs/demo/misago-requirements.txt
