import { makeZip } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import type { ByteParts } from "../bytes/byte-parts.ts";
import { defaultLimits } from "../bytes/limits.ts";
import { createEngine } from "../create-engine.ts";
import { allEcosystems } from "../ecosystems/all.ts";
import { detectLayer } from "../index/detect-layer.ts";
import { parseDigest } from "../model/digest.ts";
import { FileInspection } from "./file-inspection.ts";
import { keptFile } from "./kept-file.ts";
import type { LayerContents } from "./layer-contents.ts";
import { nothingChanged } from "./path-set.ts";

const engine = createEngine({ ecosystems: allEcosystems });
const fileDetectors = [...engine.fileDetectors, ...engine.lockFileDetectors];

/** What all detectors find in a file whose content is outside memory, and the largest part of it that they read at once. */
function findIn(path: string, bytes: Uint8Array) {
  let largest = 0;
  const content: ByteParts = {
    length: bytes.length,
    subarray(start, end) {
      const part = bytes.subarray(start, end);
      largest = Math.max(largest, part.length);
      return part;
    },
  };
  const info = { path, kind: "file", sizeBytes: bytes.length, mode: 0o644 } as const;
  const file = keptFile({ path, contentPath: path, mode: info.mode, info }, content);
  const inspection = new FileInspection(fileDetectors, defaultLimits, {
    createHasher: () => ({ update() {}, hex: () => "" }),
  });
  inspection.inspect(info, file, []);
  const contents: LayerContents = {
    ...{ files: new Map([[path, file]]), shape: nothingChanged, problems: [], evidence: [], links: [] },
    ...{ entries: 1, sizeBytes: bytes.length, uncompressedBytes: bytes.length },
    inspected: inspection.findings(() => true),
  };
  const digest = parseDigest(`sha256:${"0".repeat(64)}`);
  const findings = Object.values(detectLayer(engine, digest, contents).findings).flat();
  return {
    packages: findings.flatMap((each) => (each.kind === "package" ? [each.package.name] : [])),
    problems: findings.flatMap((each) => (each.kind === "problem" ? [each.code] : [])),
    largest,
  };
}

const megabyte = 1024 ** 2;
const zeros = Buffer.alloc(34 * megabyte);
const letters = Buffer.alloc(65 * megabyte, "a");

describe("a large file outside memory", () => {
  it.each([
    "app.ear",
    "app.jar",
    "app.war",
    "app.zip",
    "app.phar",
    "plugins/rabbit.ez",
    "dist/app.whl",
    "app.pex",
    "app.pyz",
    "resources/app.asar",
    "app/app.dll",
    "usr/bin/node",
    "usr/share/java/classes.jsa",
    "opt/java/lib/modules",
    "var/lib/rpm/Packages",
    "var/lib/rpm/Packages.db",
    "var/lib/rpm/rpmdb.sqlite",
  ])("is read part by part as %s, whatever it begins with", (path) => {
    for (const start of ["PK\x03\x04", "\x7fELF", "MZ", "SQLite format 3\0", "a text"]) {
      zeros.fill(0, 0, 100).write(start, 0, "latin1");
      expect(findIn(path, zeros).largest, JSON.stringify(start)).toBeLessThanOrEqual(4 * megabyte);
    }
  });

  it("is opened as an archive", () => {
    const pom = "groupId=org.example\nartifactId=inner\nversion=1.2\n";
    const inner = makeZip({ "META-INF/maven/org.example/inner/pom.properties": pom });
    const ear = makeZip({ "lib/inner-1.2.jar": inner, "media.bin": zeros }, { method: "stored" });

    const { packages, largest } = findIn("opt/app.ear", ear);

    expect(packages).toContain("org.example:inner");
    expect(largest).toBeLessThanOrEqual(4 * megabyte);
  });

  it.each([
    "app/Gemfile.lock",
    "app/composer.lock",
    "app/package.json",
    "app/package-lock.json",
    "etc/os-release",
    "lib/apk/db/installed",
    "opt/app/pom.xml",
    "usr/lib/ruby/specifications/a-1.0.gemspec",
    "usr/lib/python3/dist-packages/a-1.0.dist-info/METADATA",
    "usr/share/doc/a/copyright",
    "var/lib/dpkg/status",
    "var/lib/dnf/history.sqlite",
    "var/lib/pacman/local/a-1.0-1/desc",
    "app/bom.cdx.json",
  ])("that is read as a whole is not read if it has more than 64 MB: %s", (path) => {
    expect(findIn(path, letters)).toMatchObject({
      packages: [],
      largest: expect.toSatisfy((size) => size <= megabyte),
    });
  });
});
