#!/bin/sh
# Starts a PostgreSQL server for tests in the folder DIR on the loopback port PORT and prints its address, for
# PLIMSOLL_TEST_POSTGRES. It installs nothing: it uses the newest PostgreSQL of the machine (Debian's layout, or pg_ctl in
# PATH). The server refuses to run as root, so root runs it as the user `postgres`.
#
#   scripts/start-postgres.sh DIR PORT          start (creates DIR if needed; does nothing if it already runs)
#   scripts/start-postgres.sh DIR PORT stop     stop
#   scripts/start-postgres.sh DIR PORT break    stop at once, as in a crash
set -eu

if [ $# -lt 2 ]; then
  echo "usage: $0 DIR PORT [stop | break]" >&2
  exit 2
fi
port=$2
action=${3:-start}

mkdir -p "$1"
dir=$(cd "$1" && pwd)
newest=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
PATH=${newest:+$newest:}$PATH
if ! command -v pg_ctl >/dev/null; then
  echo "$0: found no pg_ctl, neither in PATH nor below /usr/lib/postgresql: install the PostgreSQL server" >&2
  exit 1
fi

# Runs a command as the user that owns the server, in a folder it may read.
as_owner() {
  if [ "$(id -u)" -eq 0 ]; then
    (cd "$dir" && setpriv --reuid=postgres --regid=postgres --init-groups env PATH="$PATH" "$@")
  else
    "$@"
  fi
}

if [ "$(id -u)" -eq 0 ]; then chown postgres "$dir"; fi

case $action in
  stop) as_owner pg_ctl -D "$dir/cluster" -m fast -w stop >&2; exit 0 ;;
  break) as_owner pg_ctl -D "$dir/cluster" -m immediate -w stop >&2; exit 0 ;;
esac

if [ ! -e "$dir/cluster/PG_VERSION" ]; then
  as_owner initdb -D "$dir/cluster" -U postgres -A trust -E UTF8 --locale=C --no-sync >"$dir/initdb.log" 2>&1 ||
    { cat "$dir/initdb.log" >&2; exit 1; }
fi
if ! as_owner pg_ctl -D "$dir/cluster" status >/dev/null; then
  options="-c listen_addresses=127.0.0.1 -c port=$port -c unix_socket_directories= -c fsync=off"
  as_owner pg_ctl -D "$dir/cluster" -l "$dir/cluster/server.log" -o "$options" -w start >/dev/null ||
    { cat "$dir/cluster/server.log" >&2; exit 1; }
fi
echo "postgres://postgres@127.0.0.1:$port/postgres"
