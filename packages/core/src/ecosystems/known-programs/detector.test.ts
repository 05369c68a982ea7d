import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { PackageFinding } from "../../plugins/finding.ts";
import { buildElf } from "../../programs/fixtures/build-program.ts";
import { fileOf, indexLayers, listPackages } from "../language/fixtures/index-layers.ts";
import { knownProgramDetector } from "./detector.ts";
import { programTable } from "./table.ts";

/** Texts of real programs, from distributions and upstream projects. */
const rows = [
  ["bin/bash", "\0@(#)Bash version 5.2.15(1) release GNU\0", "bash 5.2.15 cpe:2.3:a:gnu:bash:5.2.15"],
  ["bin/busybox", "syslogd started: BusyBox v1.36.1\0", "busybox 1.36.1 cpe:2.3:a:busybox:busybox:1.36.1"],
  ["bin/consul", "<!-- CONSUL_VERSION: 1.15.2 -->", "consul 1.15.2 cpe:2.3:a:hashicorp:consul:1.15.2"],
  ["usr/bin/curl", "\0curl/7.88.1\0", "curl 7.88.1 cpe:2.3:a:haxx:curl:7.88.1"],
  ["usr/lib/libcurl.so.4.8.0", "/\0libcurl/7.88.1\0zlib/%s", "curl 7.88.1 cpe:2.3:a:haxx:libcurl:7.88.1"],
  ["usr/bin/git", "\xff\xfegit/2.39.5\0GIT_USER_AGENT\0", "git 2.39.5 cpe:2.3:a:git-scm:git:2.39.5"],
  ["usr/local/go/bin/go", "\0\0go1.19.8\0runtime/cgo: ", "go 1.19.8 cpe:2.3:a:golang:go:1.19.8"],
  [
    "usr/sbin/haproxy",
    "since HAProxy version 2.5.\n\0 version 2.6.12-1+deb12u4, released 2026/10/17\0",
    "haproxy 2.6.12 cpe:2.3:a:haproxy:haproxy:2.6.12",
  ],
  [
    "usr/local/bin/helm",
    '-ldflags="-X helm.sh/helm/v3/internal/version.version=v3.12.0 -X a=b"',
    "helm 3.12.0 cpe:2.3:a:helm:helm:3.12.0",
  ],
  ["usr/sbin/apache2", "\0Apache/2.4.57 (Debian)\0", "httpd 2.4.57 cpe:2.3:a:apache:http_server:2.4.57"],
  [
    "opt/jdk/bin/java",
    "\0openjdk\0java\x000.0\x0017.0.21.1+2-1-deb12u1-Debian\0",
    "java 17.0.21.1 cpe:2.3:a:oracle:openjdk:17.0.21.1",
  ],
  [
    "opt/jre/bin/java",
    "\0openjdk\0java\x001.8\x001.8.0_352-b08\0",
    "java 1.8.0_352 cpe:2.3:a:oracle:openjdk:8:update352",
  ],
  ["usr/sbin/lighttpd", "\0lighttpd/1.4.69\0", "lighttpd 1.4.69 cpe:2.3:a:lighttpd:lighttpd:1.4.69"],
  ["usr/sbin/mysqld", "-0+deb12u1\x0010.11.19-MariaDB\0x86_64", "mariadb 10.11.19 cpe:2.3:a:mariadb:mariadb:10.11.19"],
  ["usr/bin/memcached", "\0memcached 1.6.18\n\0", "memcached 1.6.18 cpe:2.3:a:memcached:memcached:1.6.18"],
  ["usr/sbin/mysqld", "/release/mysql-8.0.33/mysys/my_init.cc", "mysql 8.0.33 cpe:2.3:a:oracle:mysql:8.0.33"],
  ["usr/sbin/nginx", "\0nginx version: nginx/1.25.1\n", "nginx 1.25.1 cpe:2.3:a:f5:nginx:1.25.1"],
  ["usr/local/bin/node", "/json\0node.js/v20.20.2\0", "node 20.20.2 cpe:2.3:a:nodejs:node.js:20.20.2"],
  ["usr/sbin/sshd", "\0OpenSSH_9.2p1 Debian-2+deb12u10\0", "openssh 9.2p1 cpe:2.3:a:openbsd:openssh:9.2:p1"],
  ["usr/bin/openssl", "\0OpenSSL 1.1.1n  15 Mar 2022\0", "openssl 1.1.1n cpe:2.3:a:openssl:openssl:1.1.1n"],
  ["lib/libcrypto.so.3", "\0OpenSSL 3.0.22 25 Aug 2026\0", "openssl 3.0.22 cpe:2.3:a:openssl:openssl:3.0.22"],
  ["usr/bin/perl", "\0PERL_INTERNAL_RAND_SEED\0v5.36.0\0", "perl 5.36.0 cpe:2.3:a:perl:perl:5.36.0"],
  ["usr/bin/php8.2", "\0X-Powered-By: PHP/8.2.36\0", "php 8.2.36 cpe:2.3:a:php:php:8.2.36"],
  [
    "usr/lib/postgresql/15/bin/postgres",
    "\0postgres (PostgreSQL) 15.20 (Debian 15.20-0+deb12u1)\n\0",
    "postgresql 15.20 cpe:2.3:a:postgresql:postgresql:15.20",
  ],
  ["usr/lib/libpython3.11.so.1.0", "%s: '%s'\x003.11.2\0%.80s", "python 3.11.2 cpe:2.3:a:python:python:3.11.2"],
  ["usr/bin/python3.13", "\x003.12.1\x003.13.0rc2\0", "python 3.13.0rc2 cpe:2.3:a:python:python:3.13.0rc2"],
  ["usr/bin/redis-server", "A7.0.151790282056000000000\0%llx", "redis 7.0.15 cpe:2.3:a:redis:redis:7.0.15"],
  [
    "usr/bin/redis-server",
    "\x007.0.14buildkitsandbox-1702957741000000000\0",
    "redis 7.0.14 cpe:2.3:a:redis:redis:7.0.14",
  ],
  ["usr/bin/redis-server", "\x004.0.11841ce7054bd9-1542359302000000000\0", "redis 4.0.11 cpe:2.3:a:redis:redis:4.0.11"],
  [
    "usr/lib/libruby-3.1.so.3.1.2",
    "\0ruby 3.1.2p20 (2022-04-12 revision 4491bb740a) [x86_64-linux-gnu]\0",
    "ruby 3.1.2 cpe:2.3:a:ruby-lang:ruby:3.1.2",
  ],
  ["usr/lib/libsqlite3.so.0.8.6", "\0\0\x003.40.1\0\0", "sqlite 3.40.1 cpe:2.3:a:sqlite:sqlite:3.40.1"],
  [
    "traefik",
    "-X github.com/traefik/traefik/v3/pkg/version.Version=3.0.4 -X",
    "traefik 3.0.4 cpe:2.3:a:traefik:traefik:3.0.4",
  ],
  [
    "usr/bin/valkey-server",
    "valkey9.0.0buildkitsandbox-1764887574000000000\0",
    "valkey 9.0.0 cpe:2.3:a:lfprojects:valkey:9.0.0",
  ],
  [
    "usr/sbin/varnishd",
    "\0varnish-7.1.1 revision 7cee1c58\0",
    "varnish 7.1.1 cpe:2.3:a:varnish_cache_project:varnish_cache:7.1.1",
  ],
  [
    "bin/vault",
    "-X github.com/hashicorp/vault/sdk/version.Version=1.13.2-rc1 -X",
    "vault 1.13.2-rc1 cpe:2.3:a:hashicorp:vault:1.13.2-rc1",
  ],
  [
    "lib/libz.so.1",
    " deflate 1.2.13 Copyright 1995-2022 Jean-loup Gailly and Mark Adler ",
    "zlib 1.2.13 cpe:2.3:a:zlib:zlib:1.2.13",
  ],
] as const;

function found(path: string, content: Uint8Array): readonly string[] {
  const info = { path, kind: "file", sizeBytes: content.length, mode: 0o755 } as const;
  if (!knownProgramDetector.wants(info)) return ["not wanted"];
  const findings = [...knownProgramDetector.detect({ path, contentPath: path, mode: 0o755, bytes: content })];
  return findings.map((finding) => {
    const { name, version, cpe = "" } = (finding as PackageFinding).package;
    return `${name} ${version} ${cpe.replace(/(?::\*)+$/, "")}`;
  });
}

function programWith(text: string, before = 0): Uint8Array {
  const content = Buffer.concat([Buffer.alloc(before), Buffer.from(text, "latin1"), Buffer.alloc(20)]);
  return buildElf([{ name: ".rodata", content }]);
}

describe("knownProgramDetector", () => {
  it.each(rows)("recognizes %s by its text", (path, text, expected) => {
    expect(found(path, programWith(text))).toEqual([expected]);
  });

  it("has a test of each program of the table", () => {
    const tested = new Set(rows.map(([, , expected]) => expected.split(" ")[0]));

    expect(programTable.map(({ name }) => name).filter((name) => !tested.has(name))).toEqual([]);
  });

  it("finds a text at any position across the parts that are read", () => {
    const whole = programWith("\x003.11.2\0").length;
    for (let shift = 0; shift < 400; shift += 7) {
      expect(found("usr/bin/python3.11", programWith("\x003.11.2\0", 1024 ** 2 - whole - shift + 200))).toEqual([
        "python 3.11.2 cpe:2.3:a:python:python:3.11.2",
      ]);
    }
  });

  it.each([
    ["a script", "usr/bin/bash", Buffer.from("#!/bin/sh\n# @(#)Bash version 5.2.15(1) release GNU")],
    ["a program without a known text", "usr/bin/node", programWith("v20.20.2")],
    ["other versions", "usr/bin/python3.11", programWith("\x003.12.2\0")],
    ["an empty file", "usr/bin/node", new Uint8Array(0)],
  ])("finds nothing in %s", (_, path, content) => {
    expect(found(path, content)).toEqual([]);
  });

  it.each(["usr/bin/nodes", "usr/bin/python", "etc/bash.bashrc", "usr/share/python3/runtime.d", "release.txt"])(
    "does not read %s",
    (path) => {
      expect(found(path, programWith(""))).toEqual(["not wanted"]);
    },
  );

  it("reads the release file of a JDK", () => {
    const release = 'IMPLEMENTOR="Eclipse Adoptium"\nJAVA_RUNTIME_VERSION="17.0.9+9"\nJAVA_VERSION="17.0.9"\n';

    expect(found("opt/java/openjdk/release", Buffer.from(release))).toEqual([
      "java 17.0.9 cpe:2.3:a:oracle:openjdk:17.0.9",
    ]);
  });

  it.each([1, 3 * 1024 ** 2])(
    "does not prevent other detectors from reading the same program, with %d bytes of padding",
    async (padding) => {
      const list = { packages: [{ name: "adler", version: "1.0.2", source: "crates.io" }] };
      const program = buildElf([
        { name: ".rodata", content: Buffer.from("BusyBox v1.36.1\0") },
        { name: ".padding", content: Buffer.alloc(16_384 + padding) },
        { name: ".dep-v0", content: deflateSync(JSON.stringify(list)) },
      ]);
      const report = await indexLayers([[fileOf("bin/busybox", program, 0o755)]]);

      expect(listPackages(report)).toEqual([
        "adler 1.0.2 (crates.io) bin/busybox",
        "busybox 1.36.1 (generic) bin/busybox",
      ]);
    },
  );

  it("lists a program, with its owner if it belongs to a package of the distribution", async () => {
    const installed =
      "Package: bash\nStatus: install ok installed\nArchitecture: amd64\nVersion: 5.2.15-2+b2\nMaintainer: Debian <a@debian.org>\n\n";
    const bash = programWith("@(#)Bash version 5.2.15(1) release GNU\0");
    const report = await indexLayers([
      [
        fileOf("etc/os-release", "ID=debian\nVERSION_ID=12\n"),
        fileOf("var/lib/dpkg/status", installed),
        fileOf("var/lib/dpkg/info/bash.list", "/.\n/bin\n/bin/bash\n"),
        fileOf("bin/bash", bash, 0o755),
        fileOf("opt/bin/bash", bash, 0o755),
      ],
    ]);

    expect(listPackages(report)).toEqual([
      "bash 5.2.15 (generic bash) bin/bash",
      "bash 5.2.15 (generic) opt/bin/bash",
      "bash 5.2.15-2+b2 () var/lib/dpkg/status",
    ]);
  });
});
