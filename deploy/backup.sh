#!/bin/sh
# backup.sh SETTINGS FOLDER: back a house up, restore the backup elsewhere and verify it, drop what is older than 30 days.
# It ends with another code than 0 if any of this fails, and then says why.
set -eu
settings=$1 folder=$2
croupier=${CROUPIER:-/opt/croupier/.venv/bin/croupier}
python=$(dirname "$croupier")/python
read_setting() {
    "$python" -c 'import sys, tomllib; print(tomllib.load(open(sys.argv[1], "rb")).get("store", {}).get(sys.argv[2], ""))' \
        "$settings" "$1"
}
# In the surroundings and not among the words, which everybody on the machine can read: it may hold a password.
CROUPIER_DB=$(read_setting url) key=$(read_setting key)
export CROUPIER_DB
file=$folder/house-$(date -u +%Y%m%dT%H%M%SZ).backup
"$croupier" backup "$file"
"$croupier" drill restore "$file" --key "$key"
find "$folder" -maxdepth 1 -name 'house-*.backup' -mtime +30 -delete
