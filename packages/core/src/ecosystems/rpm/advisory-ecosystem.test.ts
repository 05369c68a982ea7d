import { describe, expect, it } from "vitest";
import { sampleDistribution } from "../../match/fixtures/samples.ts";
import { rpmEcosystem } from "./advisory-ecosystem.ts";

describe("rpmEcosystem", () => {
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
    ["azurelinux 3.0", "azurelinux:3.0"],
    ["mageia 9", "mageia:9"],
    ["openeuler 22.03", "openeuler:22.03"],
    ["rhel", undefined],
    ["eurolinux 9.4", undefined],
    ["virtuozzo 8", undefined],
    ["debian 12", undefined],
  ])("%s: %s", (release, key) => {
    expect(rpmEcosystem(sampleDistribution(release, { like: ["rhel", "fedora"] }))).toBe(key);
  });

  it("gives CentOS Stream none, whatever its number", () => {
    expect(rpmEcosystem(sampleDistribution("centos 8", { name: "CentOS Stream" }))).toBeUndefined();
  });

  it("takes the service pack of openEuler from the version's words", () => {
    expect(rpmEcosystem(sampleDistribution("openeuler 22.03", { version: "22.03 (LTS-SP1)" }))).toBe(
      "openeuler:22.03-lts-sp1",
    );
  });
});
