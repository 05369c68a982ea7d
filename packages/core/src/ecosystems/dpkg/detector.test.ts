import { describe, expect, it } from "vitest";
import { detectIn } from "../linux/fixtures/layer-files.ts";
import { dpkgDetector } from "./detector.ts";

const maintainer = "Maintainer: Debian <debian@lists.debian.org>\n";
const apt = `Package: apt\nStatus: install ok installed\nArchitecture: amd64\nVersion: 2.6.1\n${maintainer}`;

describe("dpkgDetector", () => {
  it.each<[string, boolean]>([
    ["var/lib/dpkg/status", true],
    ["lib/dpkg/status", true],
    ["srv/chroot/var/lib/dpkg/status", true],
    ["var/lib/dpkg/status.d/libc6", true],
    ["var/lib/dpkg/status.d/libgtk2.0-0", true],
    ["opt/chroot/var/lib/dpkg/status.d/libc6", true],
    ["opt/chroot/var/lib/dpkg/status.d/libc6.md5sums", false],
    ["usr/src/tool/testdata/var/lib/dpkg/status.d/libc6", false],
    ["usr/lib/opkg/status", true],
    ["var/lib/opkg/status", true],
    ["var/lib/dpkg/status.d/libc6.md5sums", false],
    ["var/lib/dpkg/status.d/libc6.preinst", false],
    ["var/lib/dpkg/status.d/libc6.postrm", false],
    ["var/lib/dpkg/status.d/more/libc6", false],
    ["var/lib/dpkg/status.d", false],
    ["var/lib/dpkg/status-old", false],
    ["var/lib/dpkg/info/libc6.list", false],
    ["opt/mylib/dpkg/status", false],
    ["usr/src/tool/testdata/var/lib/dpkg/status", false],
    ["opt/vcpkg/installed/vcpkg/status", false],
  ])("wants %s: %s", (path, expected) => {
    expect(dpkgDetector.wants({ path, kind: "file", sizeBytes: 1, mode: 0o644 })).toBe(expected);
  });

  it.each<[string, string, string]>([
    ["var/lib/dpkg/status", "Package: apt\nVersion: 2.6.1\n", "expected a Status of every package, found none for 1"],
    ["var/lib/dpkg/status", "\0".repeat(5000), "line 1: expected"],
    ["var/lib/dpkg/status", "<html></html>", "line 1: expected"],
  ])("reports a problem of %s with the content %j", (path, content, message) => {
    const [database, problem, ...rest] = detectIn(dpkgDetector, { [path]: content });

    expect(database).toEqual({ kind: "database", path });
    expect(problem).toMatchObject({ kind: "problem", path, code: "malformed_package_db" });
    expect(problem).toHaveProperty("message", expect.stringContaining(message));
    expect(rest).toEqual([]);
  });

  it("reports a list of vcpkg as evidence of C++ packages", () => {
    const content = "Package: fmt\nVersion: 10\nPort-Version: 1\nStatus: install ok installed\n";

    expect(detectIn(dpkgDetector, { "var/lib/dpkg/status": content })).toEqual([
      { kind: "evidence", path: "var/lib/dpkg/status", packages: "cpp", pieces: 1 },
    ]);
  });

  it("finds the database and its installed packages with their sources", () => {
    const gone = "Package: gone\nStatus: deinstall ok config-files\nVersion: 1\n";
    const libc = "Package: libc6\nStatus: install ok installed\nSource: glibc (2.36-9)\nVersion: 2.36-9+b1\n";

    expect(detectIn(dpkgDetector, { "var/lib/dpkg/status": [apt, gone, libc].join("\n") })).toEqual([
      { kind: "database", path: "var/lib/dpkg/status" },
      {
        kind: "package",
        packageDb: "var/lib/dpkg/status",
        package: {
          name: "apt",
          version: "2.6.1",
          kind: "BINARY",
          arch: "amd64",
          source: { name: "apt", version: "2.6.1", kind: "SOURCE" },
        },
        details: { supplier: "Debian <debian@lists.debian.org>", requires: [] },
      },
      {
        kind: "package",
        packageDb: "var/lib/dpkg/status",
        details: { requires: [] },
        mayBeOfOthers: true,
        package: {
          name: "libc6",
          version: "2.36-9+b1",
          kind: "BINARY",
          source: { name: "glibc", version: "2.36-9", kind: "SOURCE" },
        },
      },
    ]);
  });

  it("finds packages whose installation was interrupted", () => {
    const states = ["half-installed", "unpacked", "half-configured", "triggers-awaited", "triggers-pending"];
    const stanzas = [...states, "not-installed", "config-files"].map(
      (state) => `Package: ${state}\nStatus: install ok ${state}\nVersion: 1\n`,
    );

    const findings = detectIn(dpkgDetector, { "var/lib/dpkg/status": stanzas.join("\n") });

    expect(findings.flatMap((found) => (found.kind === "package" ? [found.package.name] : []))).toEqual(states);
  });

  it("distinguishes architectures and versions of a name, and counts the same package once", () => {
    const i386 = apt.replace("amd64", "i386");
    const newer = apt.replace("2.6.1", "2.6.2");
    const findings = detectIn(dpkgDetector, { "var/lib/dpkg/status": [apt, i386, newer, apt].join("\n") });

    const packages = findings.flatMap((found) => (found.kind === "package" ? [found.package] : []));
    expect(packages.map(({ arch, version }) => `${arch} ${version}`)).toEqual([
      "amd64 2.6.1",
      "i386 2.6.1",
      "amd64 2.6.2",
    ]);
  });

  it("finds one package in each file of status.d and ignores other files", () => {
    const findings = detectIn(dpkgDetector, {
      "var/lib/dpkg/status.d/libssl3": "Package: libssl3\nSource: openssl (3.0.11-1)\nVersion: 3.0.11-1+b1\n",
      "var/lib/dpkg/status.d/setup": "#!/bin/sh\nexit 0\n",
      "var/lib/dpkg/status.d/tzdata": "Package: tzdata\nVersion: 2024a-0+deb12u1\n",
    });

    const shown = findings.map((found) =>
      found.kind === "package" ? `${found.packageDb} ${found.package.name} ${found.package.source?.name}` : found.kind,
    );
    expect(shown).toEqual([
      "database",
      "var/lib/dpkg/status.d/libssl3 libssl3 openssl",
      "database",
      "var/lib/dpkg/status.d/tzdata tzdata tzdata",
    ]);
  });

  it("reports a stanza that it could not read and lists the rest", () => {
    const findings = detectIn(dpkgDetector, { "var/lib/dpkg/status": `garbage\n\n${apt}` });

    expect(findings.map((found) => found.kind)).toEqual(["database", "package", "problem"]);
    expect(findings.at(-1)).toMatchObject({
      path: "var/lib/dpkg/status",
      code: "malformed_package_db",
      message: 'line 1: expected "Name: value", found "garbage"',
    });
  });

  it("finds an empty database", () => {
    expect(detectIn(dpkgDetector, { "var/lib/dpkg/status": "" })).toEqual([
      { kind: "database", path: "var/lib/dpkg/status" },
    ]);
  });

  it("names the maker of a package that is not the distribution's", () => {
    const docker =
      "Package: docker-ce\nStatus: install ok installed\nMaintainer: Docker <support@docker.com>\nVersion: 5:1\n";
    const [, found] = detectIn(dpkgDetector, { "var/lib/dpkg/status": docker });

    expect(found).toMatchObject({ kind: "package", thirdParty: "docker" });
  });

  it("reads a database that has two names once", () => {
    const findings = detectIn(dpkgDetector, {
      "usr/lib/opkg/status": apt,
      "var/lib/opkg/status": { link: "usr/lib/opkg/status" },
    });

    expect(findings.map((found) => (found.kind === "package" ? found.packageDb : found.kind))).toEqual([
      "database",
      "usr/lib/opkg/status",
    ]);
  });

  it("reads a link to a file that it does not want", () => {
    const findings = detectIn(dpkgDetector, { "srv/status": apt, "var/lib/dpkg/status": { link: "srv/status" } });

    expect(findings[0]).toEqual({ kind: "database", path: "var/lib/dpkg/status" });
  });
});
