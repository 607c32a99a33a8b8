#!/bin/sh
# Each night a dump of Postgres into a folder, as `npm run cmd -- backup` writes it; the newest ones stay. Runs in the image of Postgres
# (docker-compose.yml), whose pg_dump is as new as the server. `nightly-backup.sh now` writes one and ends; `nightly-backup.sh drill` restores
# the newest one into a database of its own, which it removes again, and says how long that took.
#   PGHOST PGUSER PGPASSWORD PGDATABASE   the database, as pg_dump reads them
#   BACKUP_FOLDER (/backups)  BACKUP_AT (02:00, UTC)  BACKUP_KEEP (7)  DRILL_JOBS (2)
set -eu
folder="${BACKUP_FOLDER:-/backups}"
keep="${BACKUP_KEEP:-7}"
umask 077

# For the alert EasBackupOld, as `npm run cmd -- backup:record` does. The backup has the moment at which it was begun.
record() {
  psql --quiet --no-psqlrc --set=ON_ERROR_STOP=1 --set=age="$1" --set=bytes="$2" << 'SQL'
INSERT INTO backups (tool, taken_at, bytes) VALUES ('nightly', now() - make_interval(secs => :age), :bytes)
ON CONFLICT (tool) DO UPDATE SET taken_at = excluded.taken_at, bytes = excluded.bytes;
SQL
}

backup() {
  begun="$(date -u +%s)"
  file="$folder/eas-$(date -u +%Y-%m-%dT%H%M%S).dump"
  if ! pg_dump --format=custom --exclude-schema=queue --file="$file.unfinished"; then
    rm -f "$file.unfinished"
    echo "no backup was written" >&2
    return 1
  fi
  mv "$file.unfinished" "$file"
  echo "wrote $file"
  record $(($(date -u +%s) - begun)) "$(wc -c < "$file")" || echo "the backup is not recorded" >&2
  # Names sort by time.
  find "$folder" -maxdepth 1 -name 'eas-*.dump' | sort -r | tail -n "+$((keep + 1))" | while read -r old; do
    rm -f "$old"
    echo "removed $old"
  done
}

drill() {
  newest="$(find "$folder" -maxdepth 1 -name 'eas-*.dump' | sort | tail -n 1)"
  if [ -z "$newest" ]; then
    echo "no backup is in $folder" >&2
    return 1
  fi
  scratch="${PGDATABASE}_drill"
  trap 'dropdb --if-exists --force "$scratch"' EXIT
  dropdb --if-exists --force "$scratch"
  createdb --encoding=UTF8 --template=template0 "$scratch"
  begun="$(date -u +%s)"
  pg_restore --dbname="$scratch" --jobs="${DRILL_JOBS:-2}" --no-owner --no-privileges --exit-on-error "$newest"
  took=$(($(date -u +%s) - begun))
  found="$(psql --no-psqlrc --tuples-only --no-align --set=ON_ERROR_STOP=1 --dbname="$scratch" \
    --command="SELECT count(*) || ' tasks, the last event at ' || coalesce((SELECT max(occurred_at) FROM events)::text, '-') FROM tasks")"
  echo "restored $newest in $took s: $found"
}

case "${1:-}" in
  '') ;;
  now)
    backup
    exit
    ;;
  drill)
    drill
    exit
    ;;
  *)
    echo "nightly-backup.sh knows now and drill, not $1" >&2
    exit 2
    ;;
esac
trap 'kill "$!" 2> /dev/null; exit 0' TERM INT
while :; do
  now="$(date -u +%s)"
  next="$(date -u -d "${BACKUP_AT:-02:00}" +%s)"
  [ "$next" -gt "$now" ] || next=$((next + 86400))
  # In the background, so that a signal ends it at once.
  sleep $((next - now)) &
  wait $!
  backup || true
done
