import { describe, expect, it } from "vitest";
import { sampleDistribution } from "../../match/fixtures/samples.ts";
import { debianEcosystem, ubuntuEcosystem } from "./advisory-ecosystem.ts";

describe("debianEcosystem", () => {
  it.each([
    ["debian 12", undefined, "debian:12"],
    ["debian 10.1", undefined, "debian:10"],
    ["debian", "trixie", "debian:13"],
    ["debian", "forky", "debian:14"],
    ["debian", "sid", "debian:sid"],
    ["debian", "unstable", "debian:sid"],
    ["debian", "notyetknown", "debian:notyetknown"],
    ["debian", undefined, undefined],
    ["ubuntu 22.04", "jammy", undefined],
    ["raspbian 12", "bookworm", undefined],
    ["kali 2024.1", "kali-rolling", undefined],
  ])("%s, code name %s: %s", (release, versionCodeName, key) => {
    const distribution = sampleDistribution(release, { like: ["debian"], ...(versionCodeName && { versionCodeName }) });

    expect(debianEcosystem(distribution)).toBe(key);
  });
});

describe("ubuntuEcosystem", () => {
  it.each([
    ["ubuntu 22.04", "ubuntu:22.04"],
    ["ubuntu 10.04.4", "ubuntu:10.04"],
    ["ubuntu", undefined],
    ["linuxmint 21.3", undefined],
    ["pop 22.04", undefined],
    ["debian 12", undefined],
  ])("%s: %s", (release, key) => {
    expect(ubuntuEcosystem(sampleDistribution(release, { like: ["ubuntu", "debian"] }))).toBe(key);
  });
});
