#!/bin/sh
# Starts a real S3-compatible store for tests, OpenStack Swift with its s3api, in the folder DIR on loopback ports: PORT speaks S3,
# PORT+1 to PORT+3 are Swift's own. Makes the bucket "blobs" and prints its address, for PLIMSOLL_TEST_S3. DIR must be on a file
# system with extended attributes. It installs nothing: it uses Debian's packages.
#
#   scripts/start-s3.sh DIR PORT          start (creates DIR when needed; harmless when it runs already)
#   scripts/start-s3.sh DIR PORT stop     stop, and wait until it has stopped
#   scripts/start-s3.sh DIR PORT break    kill it, as in a crash
#   scripts/start-s3.sh DIR PORT freeze   accept connections but never answer, until `thaw`
#   scripts/start-s3.sh DIR PORT thaw     answer again
set -eu

if [ $# -lt 2 ]; then
  echo "usage: $0 DIR PORT [stop | break | freeze | thaw]" >&2
  exit 2
fi
port=$2
action=${3:-start}
mkdir -p "$1"
dir=$(cd "$1" && pwd)
servers="account container object proxy"

running() { [ -f "$dir/$1.pid" ] && kill -0 "$(cat "$dir/$1.pid")" 2>/dev/null; }

signal() { # NAME
  for server in $servers; do
    if running "$server"; then kill "-$1" "$(cat "$dir/$server.pid")"; fi
  done
}

case $action in
  stop | break)
    if [ "$action" = stop ]; then signal TERM; else signal KILL; fi
    tries=0
    for server in $servers; do
      while running "$server"; do
        tries=$((tries + 1))
        [ $tries -lt 100 ] || { echo "$0: swift-$server-server does not stop" >&2; exit 1; }
        sleep 0.1
      done
    done
    exit 0
    ;;
  freeze) signal STOP; exit 0 ;;
  thaw) signal CONT; exit 0 ;;
esac

for server in $servers; do
  if [ ! -x "/usr/bin/swift-$server-server" ]; then
    echo "$0: found no swift-$server-server: install swift-account, swift-container, swift-object and swift-proxy" >&2
    exit 1
  fi
done

defaults() { # PORT
  printf '[DEFAULT]\nbind_ip = 127.0.0.1\nbind_port = %s\nuser = %s\nworkers = 0\n' "$1" "$(id -un)"
  printf 'swift_dir = %s\ndevices = %s/devices\nmount_check = false\n' "$dir" "$dir"
}

ring() { # NAME PORT
  [ ! -f "$dir/$1.ring.gz" ] || return 0
  swift-ring-builder "$dir/$1.builder" create 1 1 0 >&2
  swift-ring-builder "$dir/$1.builder" add "r1z1-127.0.0.1:$2/one" 1 >&2
  swift-ring-builder "$dir/$1.builder" rebalance >&2
}

mkdir -p "$dir/devices/one"
printf '[swift-hash]\nswift_hash_path_prefix = a\nswift_hash_path_suffix = b\n[storage-policy:0]\nname = one\ndefault = yes\n' \
  >"$dir/swift.conf"
offset=1
for server in account container object; do
  { defaults $((port + offset)); printf '[pipeline:main]\npipeline = %s-server\n[app:%s-server]\nuse = egg:swift#%s\n' "$server" "$server" "$server"; } \
    >"$dir/$server.conf"
  ring "$server" $((port + offset)) 2>"$dir/$server-ring.log"
  offset=$((offset + 1))
done
{
  defaults "$port"
  cat <<CONF
[pipeline:main]
pipeline = catch_errors gatekeeper cache listing_formats s3api tempauth bulk slo copy versioned_writes symlink proxy-server
[app:proxy-server]
use = egg:swift#proxy
# There is only one server: if a request failed during its start, it must be retried at once.
error_suppression_limit = 1000000
account_autocreate = true
allow_account_management = true
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
# Nothing listens there and nothing is cached, but the other filters need an address.
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
[filter:copy]
use = egg:swift#copy
[filter:versioned_writes]
use = egg:swift#versioned_writes
allow_object_versioning = true
[filter:symlink]
use = egg:swift#symlink
CONF
} >"$dir/proxy.conf"

for server in $servers; do
  running "$server" && continue
  "/usr/bin/swift-$server-server" "$dir/$server.conf" --verbose >"$dir/$server.log" 2>&1 &
  echo $! >"$dir/$server.pid"
done

put_bucket() {
  date=$(LC_ALL=C date -u '+%a, %d %b %Y %H:%M:%S GMT')
  signature=$(printf 'PUT\n\n\n%s\n/blobs' "$date" | openssl dgst -sha1 -hmac testing -binary | base64)
  curl -s -o "$dir/bucket.log" -w '%{http_code}' -X PUT -H "Date: $date" -H "Authorization: AWS test:tester:$signature" \
    "http://127.0.0.1:$port/blobs"
}
tries=0
until case $(put_bucket) in 200 | 409) true ;; *) false ;; esac; do
  tries=$((tries + 1))
  [ $tries -lt 120 ] || { tail -n 5 "$dir"/*.log >&2; exit 1; }
  sleep 0.5
done
echo "http://test%3Atester:testing@127.0.0.1:$port/blobs?region=us-east-1"
