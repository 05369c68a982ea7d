#!/bin/sh
# Starts a service for tests in the folder DIR on the loopback port PORT, and prints its address for the variable of the tests. It
# installs nothing: it uses the packages of the machine (Debian's layout).
#
#   scripts/start-service.sh SERVICE DIR PORT          start (creates DIR if needed; does nothing if it already runs)
#   scripts/start-service.sh SERVICE DIR PORT stop     stop
#
# SERVICE is postgres, rabbitmq, slapd or s3. Two have more actions, for outages:
#
#   break    stop at once, as in a crash (postgres, s3)
#   freeze   accept connections but never answer, until `thaw` (s3)
#   thaw     answer again (s3)
set -eu

usage() {
  echo "usage: $0 postgres|rabbitmq|slapd|s3 DIR PORT [stop | break | freeze | thaw]" >&2
  exit 2
}

# A PostgreSQL server, for PLIMSOLL_TEST_POSTGRES: the newest of the machine, or pg_ctl in PATH. The server refuses to run as root, so
# root runs it as the user `postgres`.
postgres() {
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
}

# A RabbitMQ server, for PLIMSOLL_TEST_RABBITMQ: PORT speaks AMQP, PORT+1 AMQP over TLS, PORT+2 STOMP, PORT+3 STOMP over TLS, PORT+4 is
# Erlang's. The certificate of the TLS ports is DIR/cert.pem.
rabbitmq() {
  bin=/usr/lib/rabbitmq/bin
  if [ ! -x "$bin/rabbitmq-server" ]; then
    echo "$0: found no RabbitMQ in $bin: install rabbitmq-server" >&2
    exit 1
  fi

  # All files in DIR, only loopback addresses, and a separate node name.
  export HOME="$dir" ERL_EPMD_ADDRESS=127.0.0.1 ERL_EPMD_PORT=$((port + 5))
  export RABBITMQ_NODENAME="plimsoll$port@localhost" RABBITMQ_DIST_PORT=$((port + 4))
  export RABBITMQ_CONFIG_FILE="$dir/rabbitmq.conf" RABBITMQ_CONF_ENV_FILE="$dir/none"
  export RABBITMQ_MNESIA_BASE="$dir/mnesia" RABBITMQ_LOG_BASE="$dir/log" RABBITMQ_PID_FILE="$dir/pid"
  export RABBITMQ_ENABLED_PLUGINS_FILE="$dir/enabled_plugins"
  export RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS="-kernel inet_dist_use_interface {127,0,0,1}"

  running() { "$bin/rabbitmqctl" --quiet ping >/dev/null 2>&1; }

  if [ "$action" = stop ]; then
    "$bin/rabbitmqctl" --quiet stop >&2 || true
    epmd -port $((port + 5)) -kill >/dev/null 2>&1 || true
    exit 0
  fi

  if [ ! -e "$dir/cert.pem" ]; then
    openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=localhost \
      -addext 'subjectAltName=DNS:localhost,IP:127.0.0.1' -keyout "$dir/key.pem" -out "$dir/cert.pem" 2>/dev/null
  fi
  echo '[rabbitmq_stomp].' >"$dir/enabled_plugins"
  cat >"$dir/rabbitmq.conf" <<CONF
listeners.tcp.1 = 127.0.0.1:$port
listeners.ssl.1 = 127.0.0.1:$((port + 1))
stomp.listeners.tcp.1 = 127.0.0.1:$((port + 2))
stomp.listeners.ssl.1 = 127.0.0.1:$((port + 3))
ssl_options.certfile = $dir/cert.pem
ssl_options.keyfile = $dir/key.pem
ssl_options.cacertfile = $dir/cert.pem
ssl_options.verify = verify_none
log.console = false
CONF
  if ! running; then
    "$bin/rabbitmq-server" -detached >"$dir/start.log" 2>&1 || { cat "$dir/start.log" >&2; exit 1; }
    # A node whose broker has not started yet answers that it is not running, so this is repeated.
    until "$bin/rabbitmqctl" --quiet await_startup --timeout 60 >"$dir/wait.log" 2>&1; do
      attempts=$((${attempts:-0} + 1))
      if [ "$attempts" -ge 30 ]; then cat "$dir/wait.log" >&2; exit 1; fi
      sleep 1
    done
  fi
  echo "amqp://guest:guest@127.0.0.1:$port"
}

# An LDAP server, for PLIMSOLL_TEST_LDAP, with the users alice, bob, carol, one with a hostile name, mallory, whose address is the name of
# carol, and two named twin; and the group cn=builders,ou=groups,dc=example,dc=com with the first two. It supports StartTLS, and TLS on
# PORT+1, with the certificate of tests; ou=elsewhere,ou=people refers to another server, on PORT+2, where a test may listen. Its
# administrator is cn=admin,dc=example,dc=com with the password "admin".
slapd() {
  if [ ! -x /usr/sbin/slapd ]; then
    echo "$0: found no slapd: install slapd" >&2
    exit 1
  fi

  running() { [ -f "$dir/slapd.pid" ] && kill -0 "$(cat "$dir/slapd.pid")" 2>/dev/null; }

  if [ "$action" = stop ]; then
    if running; then kill "$(cat "$dir/slapd.pid")"; fi
    exit 0
  fi

  if ! running; then
    mkdir -p "$dir/db"
    certificates=$(cd "$(dirname "$0")/../packages/testing/src/certificates" && pwd)
    cat >"$dir/slapd.conf" <<EOF
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile $dir/slapd.pid
TLSCertificateFile $certificates/loopback.cert.pem
TLSCertificateKeyFile $certificates/loopback.key.pem
database mdb
suffix "dc=example,dc=com"
rootdn "cn=admin,dc=example,dc=com"
rootpw admin
directory $dir/db
EOF
    cat >"$dir/people.ldif" <<EOF
dn: dc=example,dc=com
objectClass: dcObject
objectClass: organization
dc: example
o: Example

dn: ou=people,dc=example,dc=com
objectClass: organizationalUnit
ou: people

dn: ou=groups,dc=example,dc=com
objectClass: organizationalUnit
ou: groups

dn: uid=alice,ou=people,dc=example,dc=com
objectClass: inetOrgPerson
uid: alice
cn: Alice
sn: A

dn: uid=bob,ou=people,dc=example,dc=com
objectClass: inetOrgPerson
uid: bob
cn: Bob
sn: B

dn: uid=carol,ou=people,dc=example,dc=com
objectClass: inetOrgPerson
uid: carol
cn: Carol
sn: C
mail: carol@example.com
mail: both@example.com
userPassword: carols-password

dn: cn=delta,ou=people,dc=example,dc=com
objectClass: inetOrgPerson
uid: d(e)l*\\a
cn: delta
sn: D
mail: both@example.com
userPassword: deltas-password

dn: uid=mallory,ou=people,dc=example,dc=com
objectClass: inetOrgPerson
uid: mallory
cn: Mallory
sn: M
mail: carol
userPassword: mallorys-password

dn: cn=twin one,ou=people,dc=example,dc=com
objectClass: inetOrgPerson
uid: twin
cn: twin one
sn: T
mail: twin@example.com
userPassword: twins-password

dn: cn=twin two,ou=people,dc=example,dc=com
objectClass: inetOrgPerson
uid: TWIN
cn: twin two
sn: T

dn: ou=elsewhere,ou=people,dc=example,dc=com
objectClass: referral
objectClass: extensibleObject
ou: elsewhere
ref: ldap://127.0.0.1:$((port + 2))/ou=elsewhere,dc=example,dc=com

dn: cn=builders,ou=groups,dc=example,dc=com
objectClass: groupOfNames
cn: builders
member: uid=alice,ou=people,dc=example,dc=com
member: uid=bob,ou=people,dc=example,dc=com
member: uid=gone,ou=people,dc=example,dc=com

dn: cn=twins,ou=groups,dc=example,dc=com
objectClass: groupOfNames
cn: twins
member: cn=twin one,ou=people,dc=example,dc=com
member: cn=twin two,ou=people,dc=example,dc=com

dn: cn=emptied,ou=groups,dc=example,dc=com
objectClass: groupOfNames
cn: emptied
member: uid=gone,ou=people,dc=example,dc=com

dn: cn=ring1,ou=groups,dc=example,dc=com
objectClass: groupOfNames
cn: ring1
member: cn=ring2,ou=groups,dc=example,dc=com
member: uid=bob,ou=people,dc=example,dc=com

dn: cn=ring2,ou=groups,dc=example,dc=com
objectClass: groupOfNames
cn: ring2
member: cn=ring1,ou=groups,dc=example,dc=com
member: uid=alice,ou=people,dc=example,dc=com
EOF
    [ -f "$dir/db/data.mdb" ] || /usr/sbin/slapadd -f "$dir/slapd.conf" -l "$dir/people.ldif"
    /usr/sbin/slapd -f "$dir/slapd.conf" -h "ldap://127.0.0.1:$port ldaps://127.0.0.1:$((port + 1))" >"$dir/log" 2>&1
  fi
  echo "ldap://127.0.0.1:$port"
}

# A real S3-compatible store, OpenStack Swift with its s3api, for PLIMSOLL_TEST_S3: PORT speaks S3, PORT+1 to PORT+3 are Swift's own.
# Makes the bucket "blobs". DIR must be on a file system with extended attributes. `stop` waits until it has stopped.
s3() {
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
}

[ $# -ge 3 ] || usage
case $1 in
  postgres | rabbitmq | slapd | s3) service=$1 ;;
  *) usage ;;
esac
mkdir -p "$2"
dir=$(cd "$2" && pwd)
port=$3
action=${4:-start}
"$service"
