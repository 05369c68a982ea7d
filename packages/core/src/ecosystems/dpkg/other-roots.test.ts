import { describe, expect, it } from "vitest";
import type { Release } from "../../distributions/shared/known-distribution.ts";
import { parseDigest } from "../../model/digest.ts";
import { dpkg } from "./index.ts";

const digest = parseDigest(`sha256:${"0".repeat(64)}`);
const links: Readonly<Record<string, string>> = { "var/lib/dpkg/status": "opt/system/var/lib/dpkg/status" };

const releases: Readonly<Record<string, Release>> = {
  "opt/ubuntu": { did: "ubuntu" },
  "opt/alpine": { did: "alpine" },
};

describe("dpkg.coalesce", () => {
  it.each<[packageDb: string, did: string, expected: string | undefined]>([
    ["var/lib/dpkg/status", "debian", "debian"],
    ["lib/dpkg/status", "ubuntu", "ubuntu"],
    ["usr/lib/dpkg/status", "debian", "debian"],
    ["var/lib/dpkg/status.d/libc6", "debian", "debian"],
    ["opt/system/var/lib/dpkg/status", "debian", "debian"], // where a link of the root leads
    ["var/lib/dpkg/status", "of-nobody", "of-nobody"],
    ["srv/chroot/bullseye/var/lib/dpkg/status", "debian", undefined],
    ["opt/rootfs/var/lib/dpkg/status.d/libc6", "debian", undefined],
    ["opt/ubuntu/var/lib/dpkg/status", "debian", "ubuntu"],
    ["opt/ubuntu/usr/lib/dpkg/status.d/libc6", "alpine", "ubuntu"],
    ["opt/alpine/var/lib/dpkg/status", "debian", undefined],
    ["var/lib/dpkg/status", "alpine", undefined],
    ["usr/lib/opkg/status", "openwrt", "openwrt"],
    ["var/lib/opkg/status", "of-nobody", "of-nobody"],
    ["var/lib/opkg/status", "debian", undefined],
    ["opt/var/lib/opkg/status", "debian", undefined],
    ["opt/var/lib/opkg/status", "openwrt", undefined],
  ])("gives packages of %s in an image of %s the release %s", (packageDb, did, expected) => {
    const release: Release = { did, versionId: "12" };
    const findings = [{ kind: "package", packageDb, package: { name: "zz", version: "1", kind: "BINARY" } } as const];

    const [found] =
      dpkg.coalesce?.([{ digest, findings }], {
        survives: () => true,
        distributionAt: (_, root) => (root === undefined ? release : releases[root]),
        ownerOf: () => undefined,
        resolve: (path) => links[path] ?? path,
        repositories: [],
      }) ?? [];

    expect(found?.package.name).toBe("zz");
    expect(found?.distribution?.did).toBe(expected);
  });
});
