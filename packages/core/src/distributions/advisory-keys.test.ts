import { describe, expect, it } from "vitest";
import { sampleDistribution } from "../match/fixtures/samples.ts";
import type { Distribution } from "../model/distribution.ts";
import { allDistributions } from "./all.ts";
import { debian } from "./debian.ts";
import { advisoryKeys } from "./shared/keys.ts";
import type { KnownDistribution, PackagingSystem } from "./shared/known-distribution.ts";
import { ubuntu } from "./ubuntu.ts";

function mainKey(distributions: readonly KnownDistribution[]) {
  const keysOf = advisoryKeys(distributions);
  return (...[release, repositories]: Parameters<typeof keysOf>) => keysOf(release, repositories)[0];
}

const keysOf = (system: PackagingSystem) => mainKey(allDistributions.filter(({ packaging }) => packaging === system));

const repositories = (...uris: string[]) => uris.map((uri, i) => ({ id: String(i), uri }));
const mirror = "https://mirror.example.org/alpine";

describe("advisoryKeys of distributions with apk", () => {
  it.each([
    ["alpine 3.20.3", "alpine:3.20"],
    ["alpine 3.18", "alpine:3.18"],
    ["alpine edge", "alpine:edge"],
    ["alpine 3.21_alpha20240923", "alpine:edge"],
    ["alpine 3.20.0_rc1", "alpine:3.20"],
    ["alpine", undefined],
    ["wolfi 20230201", "wolfi"],
    ["chainguard 20230214", "chainguard"],
    ["minimos 20241031", "minimos"],
    ["postmarketos v24.06", undefined],
    ["debian 12", undefined],
  ])("%s: %s", (release, key) => {
    expect(keysOf("apk")(sampleDistribution(release, { like: ["alpine"] }), [])).toBe(key);
  });

  it.each([
    ["another branch", [`${mirror}/v3.19/main`], "alpine:3.19"],
    ["edge", [`${mirror}/edge/main`, `${mirror}/edge/community/`], "alpine:edge"],
    ["several branches", [`${mirror}/v3.9/main`, `${mirror}/v3.18/community`], "alpine:3.18"],
    ["a branch and edge", [`${mirror}/edge/community`, `${mirror}/v3.18/main`], "alpine:edge"],
    ["latest-stable", [`${mirror}/latest-stable/main`], "alpine:3.20"],
    ["packages of a third party", ["https://packages.example.org/v3.18/x"], "alpine:3.20"],
    ["edge testing only", [`${mirror}/edge/testing`], "alpine:3.20"],
  ])("is overridden by repositories: %s", (_, uris, key) => {
    expect(keysOf("apk")(sampleDistribution("alpine 3.20.3"), repositories(...uris))).toBe(key);
  });
});

describe("advisoryKeys of Debian", () => {
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
    const distribution = sampleDistribution(release, {
      like: ["debian"],
      versionCodeName: versionCodeName || undefined,
    });

    expect(mainKey([debian])(distribution, [])).toBe(key);
  });
});

describe("advisoryKeys of Ubuntu by code name", () => {
  it.each([
    ["jammy", "ubuntu:22.04"],
    ["notyetknown", undefined],
  ])("%s: %s", (versionCodeName, key) => {
    expect(mainKey([ubuntu])(sampleDistribution("ubuntu", { versionCodeName }), [])).toBe(key);
  });
});

describe("advisoryKeys of Ubuntu", () => {
  it.each([
    ["ubuntu 22.04", "ubuntu:22.04"],
    ["ubuntu 10.04.4", "ubuntu:10.04"],
    ["ubuntu", undefined],
    ["linuxmint 21.3", undefined],
    ["pop 22.04", undefined],
    ["debian 12", undefined],
  ])("%s: %s", (release, key) => {
    expect(mainKey([ubuntu])(sampleDistribution(release, { like: ["ubuntu", "debian"] }), [])).toBe(key);
  });
});

describe("advisoryKeys of distributions with rpm", () => {
  it.each([
    ["rhel 8.9", "rhel:8"],
    ["centos 7", "rhel:7"],
    ["centos 7.6.1810", "rhel:7"],
    ["centos 9", undefined],
    ["rocky 8.5", "rocky:8"],
    ["almalinux 8.10", "almalinux:8"],
    ["ol 8.9", "ol:8"],
    ["amzn 2", "amzn:2"],
    ["amzn 2023", "amzn:2023"],
    ["amzn 2018.03", "amzn:1"],
    ["fedora 40", "fedora:40"],
    ["sles 15.5", "sles:15.5"],
    ["sles 15", "sles:15"],
    ["sles_sap 15.5", "sles:15.5"],
    ["sl-micro 6.0", "sle-micro:6.0"],
    ["opensuse-leap 15.5", "opensuse-leap:15.5"],
    ["opensuse-tumbleweed 20240101", "opensuse-tumbleweed"],
    ["photon 4.0", "photon:4.0"],
    ["mariner 2.0", "mariner:2.0"],
    ["mariner 2.0.20240101", "mariner:2.0"],
    ["azurelinux 3.0.20240727", "azurelinux:3.0"],
    ["azurelinux 3.0", "azurelinux:3.0"],
    ["mageia 9", "mageia:9"],
    ["openeuler 22.03", "openeuler:22.03"],
    ["rhel", undefined],
    ["eurolinux 9.4", undefined],
    ["virtuozzo 8", undefined],
    ["debian 12", undefined],
  ])("%s: %s", (release, key) => {
    expect(keysOf("rpm")(sampleDistribution(release, { like: ["rhel", "fedora"] }), [])).toBe(key);
  });

  it("gives CentOS Stream none, whatever its number", () => {
    expect(keysOf("rpm")(sampleDistribution("centos 8", { name: "CentOS Stream" }), [])).toBeUndefined();
  });

  it.each<[Partial<Distribution>, string]>([
    [{ version: "22.03 (LTS-SP1)" }, "openeuler:22.03-lts-sp1"],
    [{ version: "22.03 (LTS)" }, "openeuler:22.03-lts"],
    [{ prettyName: "openEuler 22.03 (LTS-SP3)" }, "openeuler:22.03-lts-sp3"],
    [{ prettyName: "openEuler 22.03 LTS SP3" }, "openeuler:22.03-lts-sp3"],
    [{ versionId: "22.03-LTS-SP3" }, "openeuler:22.03-lts-sp3"],
    [{ versionId: "22.03-lts", version: "22.03 (LTS-SP1)" }, "openeuler:22.03-lts"],
  ])("takes the service pack of openEuler from %j", (more, key) => {
    expect(keysOf("rpm")(sampleDistribution("openeuler 22.03", more), [])).toBe(key);
  });
});
