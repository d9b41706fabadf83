#!/bin/sh
# verify.sh SETTINGS: read every journal of a house again; it ends with another code than 0 at the first fault.
set -eu
settings=$1
croupier=${CROUPIER:-/opt/croupier/.venv/bin/croupier}
python=$(dirname "$croupier")/python
read_setting() {
    "$python" -c 'import sys, tomllib; print(tomllib.load(open(sys.argv[1], "rb")).get("store", {}).get(sys.argv[2], ""))' \
        "$settings" "$1"
}
db=$(read_setting url) key=$(read_setting key) witness=$(read_setting witness)
exec "$croupier" verify --db "$db" --key "$key" --witness "$witness"
