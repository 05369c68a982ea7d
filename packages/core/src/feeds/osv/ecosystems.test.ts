import { describe, expect, it } from "vitest";
import { findOsvEcosystem } from "./ecosystems.ts";

describe("findOsvEcosystem", () => {
  it.each([
    ["Debian:12", "debian:12", "SOURCE"],
    ["Debian:trixie", "debian:13", "SOURCE"],
    ["Debian", undefined, undefined],
    ["Ubuntu:22.04:LTS", "ubuntu:22.04", "SOURCE"],
    ["Ubuntu:24.10", "ubuntu:24.10", "SOURCE"],
    ["Ubuntu:Pro:16.04:LTS", undefined, undefined],
    ["Ubuntu:Pro:FIPS:22.04:LTS", undefined, undefined],
    ["Alpine:v3.20", "alpine:3.20", "SOURCE"],
    ["Alpine", undefined, undefined],
    ["Wolfi", "wolfi", "SOURCE"],
    ["Chainguard", "chainguard", "SOURCE"],
    ["MinimOS", "minimos", "SOURCE"],
    ["AlmaLinux:8", "almalinux:8", "BINARY"],
    ["Rocky Linux:9", "rocky:9", "SOURCE"],
    ["Red Hat:enterprise_linux:9::baseos", "rhel:9", "BINARY"],
    ["Red Hat:enterprise_linux:10.0", "rhel:10", "BINARY"],
    ["Red Hat:rhel_eus:9.2::baseos", undefined, undefined],
    ["Red Hat:openshift:4.12::el8", undefined, undefined],
    ["SUSE:Linux Enterprise Server 15 SP5", "sles:15.5", "SOURCE"],
    ["SUSE:Linux Enterprise Server 15 SP4-LTSS", "sles:15.4", "SOURCE"],
    ["SUSE:Linux Enterprise Server for SAP Applications 15 SP5", "sles:15.5", "SOURCE"],
    ["SUSE:Linux Enterprise Module for Basesystem 15 SP5", "sles:15.5", "SOURCE"],
    ["SUSE:Linux Enterprise Server 15", "sles:15", "SOURCE"],
    ["SUSE:Linux Enterprise Micro 5.3", "sle-micro:5.3", "SOURCE"],
    ["SUSE:Linux Micro 6.0", "sle-micro:6.0", "SOURCE"],
    ["SUSE:Linux Server 6.0", undefined, undefined],
    ["SUSE:Manager Server 4.3", undefined, undefined],
    ["openSUSE:Leap 15.5", "opensuse-leap:15.5", "SOURCE"],
    ["openSUSE:Leap Micro 5.3", undefined, undefined],
    ["openSUSE:Tumbleweed", "opensuse-tumbleweed", "SOURCE"],
    ["Azure Linux:3", "azurelinux:3.0", "SOURCE"],
    ["Azure Linux:2", "mariner:2.0", "SOURCE"],
    ["Mageia:9", "mageia:9", "SOURCE"],
    ["openEuler:22.03-LTS-SP1", "openeuler:22.03-lts-sp1", "SOURCE"],
    ["PyPI", "PyPI", "BINARY"],
    ["crates.io", "crates.io", "BINARY"],
    ["Maven:https://repo.example.org", "Maven", "BINARY"],
  ])("%s: %s, %s", (ecosystem, key, kind) => {
    expect(findOsvEcosystem(ecosystem)).toEqual(key === undefined ? undefined : { key, kind });
  });
});
