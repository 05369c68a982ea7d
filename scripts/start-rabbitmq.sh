#!/bin/sh
# Starts a RabbitMQ server for tests in the folder DIR on loopback ports: PORT speaks AMQP, PORT+1 AMQP over TLS, PORT+2
# STOMP, PORT+3 STOMP over TLS, PORT+4 is Erlang's. Prints the AMQP address, for PLIMSOLL_TEST_RABBITMQ; the certificate of
# the TLS ports is DIR/cert.pem. It installs nothing: it uses Debian's layout.
#
#   scripts/start-rabbitmq.sh DIR PORT          start (creates DIR if needed; does nothing if it already runs)
#   scripts/start-rabbitmq.sh DIR PORT stop     stop
set -eu

if [ $# -lt 2 ]; then
  echo "usage: $0 DIR PORT [stop]" >&2
  exit 2
fi
port=$2
action=${3:-start}
bin=/usr/lib/rabbitmq/bin

mkdir -p "$1"
dir=$(cd "$1" && pwd)
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
