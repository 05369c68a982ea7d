import { describe, expect, it } from "vitest";
import type { Release } from "../../distributions/shared/known-distribution.ts";
import { noProblems } from "./file-problems.ts";
import { bytesOf } from "./fixtures/layer-files.ts";
import type { ReadRelease } from "./release.ts";
import {
  readAlpineRelease,
  readDebianVersion,
  readIssue,
  readReleaseCpe,
  readReleaseLine,
  readSuseRelease,
} from "./release-files.ts";

describe("readReleaseLine", () => {
  it.each<[string, string, string, string | undefined, string | undefined]>([
    ["CentOS release 5.11 (Final)\n", "centos", "CentOS", "5.11", "5.11 (Final)"],
    ["CentOS Linux release 7.9.2009 (Core)\n", "centos", "CentOS Linux", "7.9.2009", "7.9.2009 (Core)"],
    ["CentOS Stream release 8\n", "centos", "CentOS Stream", "8", "8"],
    [
      "Red Hat Enterprise Linux Server release 7.0 (Maipo)",
      "rhel",
      "Red Hat Enterprise Linux Server",
      "7.0",
      "7.0 (Maipo)",
    ],
    ["Red Hat Enterprise Linux release 9.4 (Plow)\n", "rhel", "Red Hat Enterprise Linux", "9.4", "9.4 (Plow)"],
    ["Red Hat Enterprise Linux CoreOS release 4.10", "rhcos", "Red Hat Enterprise Linux CoreOS", "4.10", "4.10"],
    ["Rocky Linux release 8.5 (Green Obsidian)", "rocky", "Rocky Linux", "8.5", "8.5 (Green Obsidian)"],
    ["AlmaLinux release 9.3 (Shamrock Pampas Cat)", "almalinux", "AlmaLinux", "9.3", "9.3 (Shamrock Pampas Cat)"],
    ["Oracle Linux Server release 5.11\n", "ol", "Oracle Linux Server", "5.11", "5.11"],
    [
      "Enterprise Linux Enterprise Linux Server release 5.11 (Carthage)\n",
      ...(["ol", "Enterprise Linux Enterprise Linux Server", "5.11", "5.11 (Carthage)"] as const),
    ],
    ["Fedora release 35 (Thirty Five)", "fedora", "Fedora", "35", "35 (Thirty Five)"],
    ["Amazon Linux AMI release 2018.03", "amzn", "Amazon Linux AMI", "2018.03", "2018.03"],
    ["Amazon Linux release 2 (Karoo)", "amzn", "Amazon Linux", "2", "2 (Karoo)"],
    ["Amazon Linux release 2023 (Amazon Linux)", "amzn", "Amazon Linux", "2023", "2023 (Amazon Linux)"],
    ["VMware Photon OS 4.0\nPHOTON_BUILD_NUMBER=2f5aad892\n", "photon", "VMware Photon OS", "4.0", "4.0"],
    ["VMware Photon Linux 1.0", "photon", "VMware Photon Linux", "1.0", "1.0"],
    ["CBL-Mariner 2.0.20220226", "mariner", "CBL-Mariner", "2.0.20220226", "2.0.20220226"],
    ["openEuler release 22.03 (LTS-SP1)", "openeuler", "openEuler", "22.03", "22.03 (LTS-SP1)"],
    ["Fedora release Rawhide", "fedora", "Fedora release Rawhide", undefined, undefined],
  ])("reads %j", (text, did, name, versionId, version) => {
    const expected = { did, name, versionId: versionId || undefined, version: version || undefined };

    expect(read(readReleaseLine, text)).toEqual({ ...expected, prettyName: text.split("\n")[0] });
  });

  it.each(["", "\n", "Windows 11", "\0\u{fffd}", "x".repeat(5000)])("finds no release in %j", (text) => {
    expect(read(readReleaseLine, text)).toBeUndefined();
  });
});

describe("readSuseRelease", () => {
  it.each<[string, Release]>([
    [
      "SUSE Linux Enterprise Server 11 (x86_64)\nVERSION = 11\nPATCHLEVEL = 4\n",
      {
        did: "sles",
        name: "SUSE Linux Enterprise Server",
        versionId: "11.4",
        prettyName: "SUSE Linux Enterprise Server 11 (x86_64)",
      },
    ],
    [
      "openSUSE 13.1 (x86_64)\nVERSION = 13.1\nCODENAME = Bottle\n# deprecated\n",
      {
        did: "opensuse",
        name: "openSUSE",
        versionId: "13.1",
        versionCodeName: "bottle",
        prettyName: "openSUSE 13.1 (x86_64)",
      },
    ],
    [
      "SUSE Linux Enterprise Server 12 (x86_64)\nPATCHLEVEL=0",
      {
        did: "sles",
        name: "SUSE Linux Enterprise Server",
        versionId: "12",
        prettyName: "SUSE Linux Enterprise Server 12 (x86_64)",
      },
    ],
  ])("reads %j", (text, expected) => {
    expect(read(readSuseRelease, text)).toEqual(expected);
  });
});

describe("readDebianVersion", () => {
  it.each<[string, Release | undefined]>([
    ["6.0.10\n", { did: "debian", name: "Debian GNU/Linux", version: "6.0.10", versionId: "6" }],
    ["12.15\n", { did: "debian", name: "Debian GNU/Linux", version: "12.15", versionId: "12" }],
    ["trixie/sid\n", { did: "debian", name: "Debian GNU/Linux", versionCodeName: "trixie" }],
    ["kali-rolling\n", undefined],
    ["", undefined],
  ])("reads %j", (text, expected) => {
    expect(read(readDebianVersion, text)).toEqual(expected);
  });
});

describe("readAlpineRelease", () => {
  it.each<[string, string | undefined]>([
    ["3.20.3\n", "3.20.3"],
    ["3.21.0_alpha20240923\n", "3.21.0_alpha20240923"],
    ["", undefined],
    ["what is this", undefined],
  ])("reads %j", (text, expected) => {
    expect(read(readAlpineRelease, text)?.versionId).toBe(expected);
  });
});

describe("readReleaseCpe", () => {
  it.each<[string, string | undefined, string | undefined]>([
    ["cpe:/o:centos:linux:6:GA\n", "centos", "6"],
    ["cpe:/o:redhat:enterprise_linux:7.0:ga:server\n", "rhel", "7.0"],
    ["cpe:/o:amazon:linux:2018.03:ga", "amzn", "2018.03"],
    ["cpe:2.3:o:amazon:amazon_linux:2", "amzn", "2"],
    ["cpe:/o:fedoraproject:fedora:35", "fedora", "35"],
    ["cpe:/o:oracle:linux:6:9:server", "ol", "6"],
    ["cpe:/o:redhat:enterprise_linux", "rhel", undefined],
    ["cpe:/o:somebody:something:1", undefined, undefined],
    ["no cpe", undefined, undefined],
  ])("reads %j", (text, did, versionId) => {
    const release = read(readReleaseCpe, text);

    expect(release?.did).toBe(did);
    expect(release?.versionId).toBe(versionId);
    if (did !== undefined) expect(release?.cpe).toBe(text.trim());
  });
});

describe("readIssue", () => {
  it.each<[string, Release | undefined]>([
    [
      "Welcome to Alpine Linux 3.10\nKernel \\r on an \\m (\\l)\n",
      { did: "alpine", name: "Alpine Linux", versionId: "3.10" },
    ],
    ["Welcome to Alpine Linux 3.x (edge)\n", { did: "alpine", name: "Alpine Linux", prettyName: "Alpine Linux edge" }],
    ["Debian GNU/Linux 10 \\n \\l\n\n", { did: "debian", name: "Debian GNU/Linux", versionId: "10" }],
    ["Ubuntu 20.04.3 LTS \\n \\l\n", { did: "ubuntu", name: "Ubuntu", versionId: "20.04.3" }],
    ["\nOracle Linux Server release 6.9\nKernel", { did: "ol", name: "Oracle Linux Server", versionId: "6.9" }],
    ["Authorized uses only. 24 hours.\n", undefined],
    ["Debian GNU/Linux trixie/sid \\n \\l\n", undefined],
  ])("reads %j", (text, expected) => {
    expect(read(readIssue, text)).toEqual(expected);
  });
});

function read(reader: ReadRelease, text: string): Release | undefined {
  return reader(bytesOf(text), noProblems());
}
