#!/bin/sh
# Starts an LDAP server for tests in the folder DIR on the loopback port PORT, with the users alice, bob, carol, one with a hostile name,
# mallory, whose address is the name of carol, and two named twin; and the group cn=builders,ou=groups,dc=example,dc=com with the first two. It supports StartTLS, and TLS on PORT + 1, with the certificate of tests;
# ou=elsewhere,ou=people refers to another server, on PORT + 2, where a test may listen. Prints its address, for
# PLIMSOLL_TEST_LDAP. Its administrator is cn=admin,dc=example,dc=com with the password "admin". It installs nothing: it uses Debian's layout.
#
#   scripts/start-slapd.sh DIR PORT          start (creates DIR when needed; harmless when it runs already)
#   scripts/start-slapd.sh DIR PORT stop     stop
set -eu

if [ $# -lt 2 ]; then
  echo "usage: $0 DIR PORT [stop]" >&2
  exit 2
fi
port=$2
action=${3:-start}
mkdir -p "$1"
dir=$(cd "$1" && pwd)
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
