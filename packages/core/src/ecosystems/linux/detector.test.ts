import { describe, expect, it } from "vitest";
import { distributionDetector } from "./detector.ts";
import { detectIn } from "./fixtures/layer-files.ts";

describe("distributionDetector", () => {
  it.each<[string, boolean]>([
    ["etc/os-release", true],
    ["usr/lib/os-release", true],
    ["etc/lsb-release", true],
    ["etc/debian_version", true],
    ["etc/alpine-release", true],
    ["etc/redhat-release", true],
    ["etc/system-release-cpe", true],
    ["etc/SuSE-release", true],
    ["etc/photon-release", true],
    ["etc/issue", true],
    ["aarch64-bottlerocket-linux-gnu/sys-root/usr/lib/os-release", true],
    ["etc/apk/repositories", true],
    ["etc/apk/repositories.d/extra.list", true],
    ["var/lib/ubuntu-advantage/status.json", true],
    ["srv/etc/os-release", false],
    ["etc/apk/world", false],
    ["bin/busybox", false],
  ])("wants %s: %s", (path, expected) => {
    expect(distributionDetector.wants({ path, kind: "file", sizeBytes: 1, mode: 0o644 })).toBe(expected);
  });

  it("finds one distribution in a layer with several release files", () => {
    const findings = detectIn(distributionDetector, {
      "etc/debian_version": "12.15\n",
      "etc/issue": "Debian GNU/Linux 12 \\n \\l\n",
      "etc/os-release": { link: "usr/lib/os-release" },
      "usr/lib/os-release": "ID=debian\nVERSION_ID=12\nVERSION_CODENAME=bookworm\n",
    });

    expect(findings).toMatchObject([
      { kind: "distribution", path: "usr/lib/os-release", distribution: { did: "debian", versionId: "12" } },
    ]);
  });

  it("finds the repositories of an Alpine image beside its release", () => {
    const findings = detectIn(distributionDetector, {
      "etc/alpine-release": "3.18.4\n",
      "etc/apk/repositories": "https://example.org/alpine/edge/main\n# x\nwhat\n",
    });

    expect(findings).toMatchObject([
      { kind: "distribution", path: "etc/alpine-release" },
      { kind: "repository", path: "etc/apk/repositories", repository: { uri: "https://example.org/alpine/edge/main" } },
      { kind: "problem", path: "etc/apk/repositories", code: "malformed_image" },
    ]);
  });

  it("finds the services of an Ubuntu image with fixes after standard support", () => {
    const path = "var/lib/ubuntu-advantage/status.json";
    const findings = detectIn(distributionDetector, {
      [path]: '{"services": [{"name": "esm-infra", "status": "enabled"}]}',
    });

    expect(findings).toMatchObject([{ kind: "repository", path, repository: { key: "esm-infra" } }]);
  });

  it("finds nothing in a layer without release files", () => {
    expect(detectIn(distributionDetector, { "bin/sh": "" })).toEqual([]);
  });

  it("reports the problem of a file with two names once", () => {
    const findings = detectIn(distributionDetector, {
      "etc/os-release": { link: "usr/lib/os-release" },
      "usr/lib/os-release": "NAME=x\n",
    });

    expect(findings).toMatchObject([{ kind: "problem", path: "usr/lib/os-release" }]);
  });
});
