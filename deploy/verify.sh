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
# In the surroundings and not among the words, which everybody on the machine can read: it may hold a password.
CROUPIER_DB=$(read_setting url) key=$(read_setting key) witness=$(read_setting witness)
export CROUPIER_DB
exec "$croupier" verify --key "$key" --witness "$witness"
