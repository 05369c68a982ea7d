import { describe, expect, it } from "vitest";
import { detectIn } from "../linux/fixtures/layer-files.ts";
import { apkDetector } from "./detector.ts";

const musl = "P:musl\nV:1.2.5-r0\nA:x86_64\no:musl\n";
const sslClient = "P:ssl_client\nV:1.36.1-r29\nA:x86_64\no:busybox\n";

describe("apkDetector", () => {
  it.each<[string, boolean]>([
    ["lib/apk/db/installed", true],
    ["usr/lib/apk/db/installed", true],
    ["lib/apk/db/scripts.tar", false],
    ["opt/lib/apk/db/installed", false],
    ["etc/apk/repositories", false],
  ])("wants %s: %s", (path, expected) => {
    expect(apkDetector.wants({ path, kind: "file", sizeBytes: 1, mode: 0o644 })).toBe(expected);
  });

  it("finds the database and its packages with their origins", () => {
    expect(detectIn(apkDetector, { "lib/apk/db/installed": sslClient })).toEqual([
      { kind: "database", path: "lib/apk/db/installed" },
      {
        kind: "package",
        packageDb: "lib/apk/db/installed",
        package: {
          name: "ssl_client",
          version: "1.36.1-r29",
          kind: "BINARY",
          arch: "x86_64",
          source: { name: "busybox", version: "1.36.1-r29", kind: "SOURCE" },
        },
        details: { requires: [] },
      },
    ]);
  });

  it.each<[string, string, string]>([
    ["the older place links to the newer one", "usr/lib/apk/db/installed", "lib/apk/db/installed"],
    ["the newer place links to the older one", "lib/apk/db/installed", "usr/lib/apk/db/installed"],
  ])("reports a database once if %s", (_, content, link) => {
    const findings = detectIn(apkDetector, { [content]: musl, [link]: { link: content } });

    expect(findings.map((found) => (found.kind === "package" ? found.packageDb : found.kind))).toEqual([
      "database",
      content,
    ]);
  });

  it("reads two databases that are not the same", () => {
    const findings = detectIn(apkDetector, { "lib/apk/db/installed": musl, "usr/lib/apk/db/installed": sslClient });

    expect(findings.filter((found) => found.kind === "database")).toHaveLength(2);
  });

  it("counts the same package once", () => {
    const findings = detectIn(apkDetector, { "lib/apk/db/installed": `${musl}\n${sslClient}\n${musl}` });

    const packages = findings.flatMap((found) => (found.kind === "package" ? [found.package.name] : []));
    expect(packages).toEqual(["musl", "ssl_client"]);
  });

  it("reports a stanza that it could not read and lists the rest", () => {
    const findings = detectIn(apkDetector, { "lib/apk/db/installed": `A:x86_64\n\n${musl}` });

    expect(findings.map((found) => found.kind)).toEqual(["database", "package", "problem"]);
    expect(findings.at(-1)).toMatchObject({ path: "lib/apk/db/installed", code: "malformed_package_db" });
  });
});
