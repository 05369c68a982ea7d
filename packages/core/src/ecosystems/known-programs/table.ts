import type { KnownProgram } from "./known-program.ts";

/** `1.2.3`. */
const three = /^(\d+\.\d+\.\d+)/;
/** `1.2.3-rc1`. */
const release = /^v?(\d+\.\d+\.\d+(?:-(?:alpha|beta|dev|rc)[.\d]*)?)/;
/** A library: `.so`, `.so.1.0`, `-3.1.so.3.1`, `3.dylib`. */
const library = /^[-.\w]*\.(?:so|dylib|dll)(?:\.[.\d]*)?$/;
/**
 * Redis and Valkey write version, host and time of the build in one word, then eight zeros for the commit of a release and one zero for
 * the number of changed lines: `7.0.15buildkitsandbox-1700000000000000000`. A host without a name is twelve hexadecimal digits.
 */
const builtAt = /(?<![\d.])(\d+\.\d+\.\d{1,2})(?:(?:[\da-f]{12}|[a-z][-\da-z]{0,60})-)?\d{10}$/;

/**
 * The programs that are recognized by the texts in them. Each row is based on a real program or on its sources. Programs of Go have
 * their version in the linker flags, if their build information includes these.
 */
export const programTable: readonly KnownProgram[] = [
  {
    name: "bash",
    files: ["bash", "bash-static"],
    marks: [{ text: "@(#)Bash version ", after: /^(\d+\.\d+\.\d+)\(\d/ }],
    cpe: "gnu:bash",
  },
  {
    name: "busybox",
    files: ["busybox"],
    rest: /^(?:\.[a-z]+)?$/,
    marks: [{ text: "BusyBox v", after: three }],
    cpe: "busybox:busybox",
  },
  {
    name: "consul",
    files: ["consul"],
    marks: [
      { text: "CONSUL_VERSION: ", after: release },
      { text: "/version.GitDescribe=", after: release },
    ],
    cpe: "hashicorp:consul",
    bitnami: "consul",
  },
  { name: "curl", files: ["curl"], marks: [{ text: "curl/", after: three }], cpe: "haxx:curl" },
  {
    name: "curl",
    files: ["libcurl", "libcurl-gnutls"],
    rest: library,
    marks: [{ text: "libcurl/", after: three }],
    cpe: "haxx:libcurl",
  },
  { name: "git", files: ["git"], marks: [{ text: "git/", after: /^(\d+\.\d+\.\d+)[\0.]/ }], cpe: "git-scm:git" },
  {
    name: "go",
    files: ["go"],
    marks: [{ text: "go1.", begins: "1.", after: /^(\d+(?:\.\d+)?(?:(?:beta|rc)\d+)?)\0/ }],
    cpe: "golang:go",
  },
  {
    name: "haproxy",
    files: ["haproxy"],
    marks: [
      { text: ", released 20", before: / version (\d+\.\d+(?:\.|-dev|-rc)\d+)(?:-[-+.\w]{1,40})?$/ },
      { text: "HA-Proxy version ", after: /^(\d+\.\d+(?:\.|-dev)\d+)/ },
    ],
    cpe: "haproxy:haproxy",
    bitnami: "haproxy",
  },
  {
    name: "helm",
    files: ["helm"],
    marks: [{ text: "/internal/version.version=", after: release }],
    cpe: "helm:helm",
  },
  {
    name: "httpd",
    files: ["httpd", "apache"],
    rest: /^2?(?:\.exe)?$/,
    marks: [{ text: "Apache/", after: three }],
    cpe: "apache:http_server",
    bitnami: "apache",
  },
  {
    name: "java",
    files: ["release"],
    rest: /^$/,
    content: "text",
    marks: [{ text: 'JAVA_VERSION="', after: /^(\d[.\w]{0,40})"/ }],
    cpe: "oracle:openjdk",
    bitnami: "java",
  },
  {
    name: "java",
    files: ["java"],
    marks: [{ text: "openjdk\0java\0", after: /^\d[.\d]{0,10}\0(\d+[.\d]*(?:_\d+)?)/ }],
    cpe: "oracle:openjdk",
    bitnami: "java",
  },
  {
    name: "lighttpd",
    files: ["lighttpd"],
    marks: [{ text: "lighttpd/", after: three }],
    cpe: "lighttpd:lighttpd",
  },
  {
    name: "mariadb",
    files: ["mariadb", "mariadbd", "mysql", "mysqld"],
    marks: [{ text: "-MariaDB", before: /(?<![\d.])(\d+\.\d+\.\d+)$/ }],
    cpe: "mariadb:mariadb",
    bitnami: "mariadb",
  },
  {
    name: "memcached",
    files: ["memcached"],
    marks: [{ text: "memcached ", after: three }],
    cpe: "memcached:memcached",
    bitnami: "memcached",
  },
  {
    name: "mysql",
    files: ["mysql", "mysqld"],
    marks: [{ text: "/mysql-", after: three }],
    cpe: "oracle:mysql",
    bitnami: "mysql",
  },
  {
    name: "nginx",
    files: ["nginx"],
    marks: [{ text: "nginx version: nginx/", after: three }],
    cpe: "f5:nginx",
    bitnami: "nginx",
  },
  {
    name: "node",
    files: ["node", "nodejs"],
    marks: [{ text: "node.js/v", after: three }],
    cpe: "nodejs:node.js",
    bitnami: "node",
  },
  {
    name: "openssh",
    files: ["sshd", "ssh"],
    marks: [{ text: "OpenSSH_", after: /^(\d+\.\d+p\d+)/ }],
    cpe: "openbsd:openssh",
  },
  {
    name: "openssl",
    files: ["openssl"],
    marks: [{ text: "OpenSSL ", after: /^(\d+\.\d+\.\d+[a-z]{0,2})(?:-\w+)? {1,2}\d{1,2} [A-Z]/ }],
    cpe: "openssl:openssl",
  },
  {
    name: "openssl",
    files: ["libcrypto"],
    rest: library,
    marks: [{ text: "OpenSSL ", after: /^(\d+\.\d+\.\d+[a-z]{0,2})(?:-\w+)? {1,2}\d{1,2} [A-Z]/ }],
    cpe: "openssl:openssl",
  },
  {
    name: "perl",
    files: ["perl", "libperl"],
    rest: /^(?:(?:\.so|\.dylib)(?:\.[.\d]*)?|\.exe)?$/, // perl5.36.0 is a hard link
    marks: [
      { text: "PERL_INTERNAL_RAND_SEED\0v", after: three },
      { text: "/lib/perl5/", after: three },
    ],
    cpe: "perl:perl",
  },
  {
    name: "php",
    files: ["php", "php-fpm", "php-cgi", "libphp"],
    rest: /^(?:\d[.\d]*)?(?:\.so|\.exe)?$/,
    marks: [{ text: "X-Powered-By: PHP/", after: /^(\d+\.\d+\.\d+(?:(?:alpha|beta|RC)\d+)?)/ }],
    cpe: "php:php",
    bitnami: "php",
  },
  {
    name: "postgresql",
    files: ["postgres"],
    marks: [{ text: "postgres (PostgreSQL) ", after: /^(\d+(?:\.\d+){0,2}(?:(?:alpha|beta|rc)\d+)?)/ }],
    cpe: "postgresql:postgresql",
    bitnami: "postgresql",
  },
  {
    name: "python",
    files: ["python", "libpython"],
    rest: /^(\d+\.\d+)[a-z]?(?:(?:\.so|\.dylib)(?:\.[.\d]*)?|\.exe)?$/,
    marks: [{ text: "\0{name}.", begins: "{name}.", after: /^(\d+(?:(?:a|b|rc)\d+)?)\+?\0/ }],
    cpe: "python:python",
    bitnami: "python",
  },
  {
    name: "redis",
    files: ["redis-server", "redis-check-rdb", "redis-check-aof"],
    marks: [{ text: "000000000\0", before: builtAt }],
    cpe: "redis:redis",
    bitnami: "redis",
  },
  {
    name: "ruby",
    files: ["ruby", "libruby"],
    rest: /^(?:[-.\w]*\.(?:so|dylib)(?:\.[.\d]*)?|[.\d]*|\.exe)$/,
    marks: [{ text: "ruby ", after: /^(\d+\.\d+\.\d+(?:preview\d+|rc\d+)?)(?:p\d+)? \(\d{4}-/ }],
    cpe: "ruby-lang:ruby",
    bitnami: "ruby",
  },
  {
    name: "sqlite",
    files: ["libsqlite"],
    rest: library,
    marks: [{ text: "\x003.", begins: "3.", after: /^(\d+\.\d+)\0/ }],
    cpe: "sqlite:sqlite",
  },
  {
    name: "traefik",
    files: ["traefik"],
    marks: [{ text: "/version.Version=", after: release }],
    cpe: "traefik:traefik",
  },
  {
    name: "valkey",
    files: ["valkey-server"],
    marks: [{ text: "000000000\0", before: builtAt }],
    cpe: "lfprojects:valkey",
    bitnami: "valkey",
  },
  {
    name: "varnish",
    files: ["varnishd"],
    marks: [{ text: "varnish-", after: /^(\d+\.\d+\.\d+) revision / }],
    cpe: "varnish_cache_project:varnish_cache",
  },
  {
    name: "vault",
    files: ["vault"],
    marks: [{ text: "/version.Version=", after: release }],
    cpe: "hashicorp:vault",
    bitnami: "vault",
  },
  {
    name: "zlib",
    files: ["libz"],
    rest: library,
    marks: [{ text: " deflate ", after: /^(\d+\.\d+\.\d+(?:\.\d+)?) Copyright / }],
    cpe: "zlib:zlib",
  },
];
