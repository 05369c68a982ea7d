import { describe, expect, it } from "vitest";
import type { Release } from "../../distributions/shared/known-distribution.ts";
import { distributionDetector, identifyRelease } from "./detector.ts";
import { bytesOf, detectIn } from "./fixtures/layer-files.ts";

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
    ["srv/etc/os-release", true],
    ["srv/chroot/sid/usr/lib/os-release", true],
    ["srv/etc/alpine-release", false],
    ["app/tests/fixtures/etc/os-release", false],
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

  it("finds the releases of systems in folders, each by its own files", () => {
    const findings = detectIn(distributionDetector, {
      "etc/os-release": "ID=alpine\nVERSION_ID=3.20.3\n",
      "opt/a/etc/os-release": { link: "opt/a/usr/lib/os-release" },
      "opt/a/usr/lib/os-release": "ID=debian\nVERSION_ID=12\n",
      "opt/b/etc/os-release": { link: "etc/os-release" },
      "opt/c/etc/os-release": "what\n",
    });

    expect(findings).toMatchObject([
      { kind: "distribution", path: "etc/os-release", distribution: { did: "alpine" } },
      { kind: "distribution", path: "opt/a/usr/lib/os-release", root: "opt/a", distribution: { did: "debian" } },
    ]);
  });

  it("finds the release of the image where a link leads into a folder", () => {
    const findings = detectIn(distributionDetector, {
      "etc/os-release": { link: "opt/a/usr/lib/os-release" },
      "opt/a/usr/lib/os-release": "ID=debian\nVERSION_ID=12\n",
    });

    expect(findings).toMatchObject([
      { path: "etc/os-release", distribution: { did: "debian" } },
      { root: "opt/a", distribution: { did: "debian" } },
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

type Files = Readonly<Record<string, string>>;

const rows: readonly (readonly [string, Files, Release])[] = [
  [
    "Debian 12",
    {
      "usr/lib/os-release":
        'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nNAME="Debian GNU/Linux"\nVERSION_ID="12"\nVERSION="12 (bookworm)"\n' +
        "VERSION_CODENAME=bookworm\nID=debian\n",
      "etc/debian_version": "12.15\n",
    },
    {
      ...{ did: "debian", name: "Debian GNU/Linux", version: "12 (bookworm)", versionId: "12" },
      ...{ versionCodeName: "bookworm", prettyName: "Debian GNU/Linux 12 (bookworm)" },
    },
  ],
  [
    "Debian 8, whose code name is only in VERSION",
    { "etc/os-release": 'ID=debian\nVERSION_ID="8"\nVERSION="8 (jessie)"\n' },
    { did: "debian", version: "8 (jessie)", versionId: "8", versionCodeName: "jessie" },
  ],
  [
    "Debian testing, which has no version",
    { "etc/os-release": 'PRETTY_NAME="Debian GNU/Linux trixie/sid"\nVERSION_CODENAME=trixie\nID=debian\n' },
    { did: "debian", versionCodeName: "trixie", prettyName: "Debian GNU/Linux trixie/sid" },
  ],
  [
    "older Debian testing, whose code name is only in its pretty name",
    { "etc/os-release": 'PRETTY_NAME="Debian GNU/Linux bullseye/sid"\nID=debian\n' },
    { did: "debian", versionCodeName: "bullseye", prettyName: "Debian GNU/Linux bullseye/sid" },
  ],
  [
    "Debian 6",
    { "etc/debian_version": "6.0.10\n" },
    { did: "debian", name: "Debian GNU/Linux", version: "6.0.10", versionId: "6" },
  ],
  [
    "Ubuntu 10.04, which has no os-release",
    {
      "etc/debian_version": "squeeze/sid\n",
      "etc/lsb-release":
        'DISTRIB_CODENAME=lucid\nDISTRIB_RELEASE=10.04\nDISTRIB_DESCRIPTION="Ubuntu 10.04 LTS"\nDISTRIB_ID=Ubuntu\n',
    },
    { did: "ubuntu", name: "Ubuntu", versionId: "10.04", versionCodeName: "lucid", prettyName: "Ubuntu 10.04 LTS" },
  ],
  [
    "Ubuntu 14.04, whose code name is only in lsb-release",
    {
      "etc/os-release":
        'NAME="Ubuntu"\nVERSION="14.04.5 LTS, Trusty Tahr"\nID=ubuntu\nID_LIKE=debian\nVERSION_ID="14.04"\n',
      "etc/lsb-release": "DISTRIB_ID=Ubuntu\nDISTRIB_RELEASE=14.04\nDISTRIB_CODENAME=trusty\n",
    },
    {
      ...{ did: "ubuntu", like: ["debian"], name: "Ubuntu", version: "14.04.5 LTS, Trusty Tahr", versionId: "14.04" },
      versionCodeName: "trusty",
    },
  ],
  [
    "Ubuntu with UBUNTU_CODENAME",
    { "etc/os-release": 'ID=ubuntu\nVERSION_ID="16.04"\nUBUNTU_CODENAME=xenial\n' },
    { did: "ubuntu", versionId: "16.04", versionCodeName: "xenial" },
  ],
  [
    "Alpine",
    { "etc/os-release": "ID=alpine\nVERSION_ID=3.20.3\n", "etc/alpine-release": "3.20.3\n" },
    { did: "alpine", name: "Alpine Linux", versionId: "3.20.3" },
  ],
  [
    "Alpine edge",
    { "usr/lib/os-release": 'ID=alpine\nVERSION_ID=3.21.0_alpha20240923\nPRETTY_NAME="Alpine Linux edge"\n' },
    { did: "alpine", versionId: "3.21.0_alpha20240923", prettyName: "Alpine Linux edge" },
  ],
  ["old Alpine", { "etc/alpine-release": "2.6.6\n" }, { did: "alpine", name: "Alpine Linux", versionId: "2.6.6" }],
  [
    "Wolfi",
    { "etc/os-release": 'ID=wolfi\nNAME="Wolfi"\nPRETTY_NAME="Wolfi"\nVERSION_ID="20230201"\n' },
    { did: "wolfi", name: "Wolfi", versionId: "20230201", prettyName: "Wolfi" },
  ],
  [
    "Chainguard",
    { "etc/os-release": 'ID=chainguard\nNAME="Chainguard"\nVERSION_ID="20230214"\n' },
    { did: "chainguard", name: "Chainguard", versionId: "20230214" },
  ],
  [
    "RHEL, whose product name becomes the pretty name",
    {
      "etc/os-release":
        'NAME="Red Hat Enterprise Linux"\nVERSION="8.0 (Ootpa)"\nID="rhel"\nID_LIKE="fedora"\nVERSION_ID="8.0"\n' +
        'PRETTY_NAME="Red Hat Enterprise Linux 8.0 (Ootpa)"\nCPE_NAME="cpe:/o:redhat:enterprise_linux:8.0:GA"\n' +
        'REDHAT_BUGZILLA_PRODUCT="Red Hat Enterprise Linux 8"\n',
    },
    {
      ...{ did: "rhel", like: ["fedora"], name: "Red Hat Enterprise Linux", version: "8.0 (Ootpa)", versionId: "8.0" },
      ...{ prettyName: "Red Hat Enterprise Linux 8", cpe: "cpe:/o:redhat:enterprise_linux:8.0:GA" },
    },
  ],
  [
    "CentOS Stream",
    { "etc/os-release": 'NAME="CentOS Stream"\nID="centos"\nID_LIKE="rhel fedora"\nVERSION_ID="9"\n' },
    { did: "centos", like: ["rhel", "fedora"], name: "CentOS Stream", versionId: "9" },
  ],
  [
    "CentOS 6, whose CPE name is in a separate file",
    { "etc/centos-release": "CentOS release 6.10 (Final)\n", "etc/system-release-cpe": "cpe:/o:centos:linux:6:GA\n" },
    {
      ...{ did: "centos", name: "CentOS", version: "6.10 (Final)", versionId: "6.10" },
      ...{ prettyName: "CentOS release 6.10 (Final)", cpe: "cpe:/o:centos:linux:6:GA" },
    },
  ],
  [
    "Oracle 5, which also says Red Hat",
    {
      "etc/oracle-release": "Oracle Linux Server release 5.11\n",
      "etc/redhat-release": "Red Hat Enterprise Linux Server release 5.11 (Tikanga)\n",
    },
    {
      did: "ol",
      name: "Oracle Linux Server",
      version: "5.11",
      versionId: "5.11",
      prettyName: "Oracle Linux Server release 5.11",
    },
  ],
  ...[
    [
      "Rocky",
      'ID="rocky"\nID_LIKE="rhel centos fedora"\nVERSION_ID="9.3"',
      "rocky",
      "9.3",
      ["rhel", "centos", "fedora"],
    ] as const,
    [
      "Alma",
      'ID="almalinux"\nID_LIKE="rhel centos"\nVERSION_ID="9.3"',
      "almalinux",
      "9.3",
      ["rhel", "centos"],
    ] as const,
    ["Oracle", 'ID="ol"\nID_LIKE="fedora"\nVERSION_ID="9.3"', "ol", "9.3", ["fedora"]] as const,
    [
      "Amazon 1",
      'ID="amzn"\nID_LIKE="rhel fedora"\nVERSION_ID="2018.03"',
      "amzn",
      "2018.03",
      ["rhel", "fedora"],
    ] as const,
    [
      "Amazon 2",
      'ID="amzn"\nID_LIKE="centos rhel fedora"\nVERSION_ID="2"',
      "amzn",
      "2",
      ["centos", "rhel", "fedora"],
    ] as const,
    ["Amazon 2023", 'ID="amzn"\nID_LIKE="fedora"\nVERSION_ID="2023"', "amzn", "2023", ["fedora"]] as const,
    ["SLES", 'ID="sles"\nID_LIKE="suse"\nVERSION_ID="15.5"', "sles", "15.5", ["suse"]] as const,
    [
      "Leap",
      'ID="opensuse-leap"\nID_LIKE="suse opensuse"\nVERSION_ID="15.5"',
      "opensuse-leap",
      "15.5",
      ["suse", "opensuse"],
    ] as const,
    [
      "Tumbleweed",
      'ID="opensuse-tumbleweed"\nID_LIKE="opensuse suse"\nVERSION_ID="20240101"',
      "opensuse-tumbleweed",
      "20240101",
      ["opensuse", "suse"],
    ] as const,
    ["openEuler", 'ID="openEuler"\nID_LIKE="RHEL"\nVERSION_ID="22.03"', "openeuler", "22.03", ["rhel"]] as const,
  ].map(
    ([name, text, did, versionId, like]) =>
      [name, { "etc/os-release": text }, { did, versionId, like: [...like] }] as const,
  ),
  ...[
    ["Fedora", 'ID=fedora\nVERSION_ID=39\nVERSION_CODENAME=""', "fedora", "39"] as const,
    ["Photon", "ID=photon\nVERSION_ID=4.0", "photon", "4.0"] as const,
    ["Mariner", 'ID=mariner\nVERSION_ID="2.0"', "mariner", "2.0"] as const,
    ["Azure Linux", 'ID=azurelinux\nVERSION_ID="3.0"', "azurelinux", "3.0"] as const,
  ].map(([name, text, did, versionId]) => [name, { "etc/os-release": text }, { did, versionId }] as const),
  [
    "Bottlerocket in the folder of its root",
    { "x86_64-bottlerocket-linux-gnu/sys-root/usr/lib/os-release": 'ID=bottlerocket\nVERSION_ID="1.19.0"\n' },
    { did: "bottlerocket", versionId: "1.19.0" },
  ],
  [
    "Arch, which has no version",
    { "etc/os-release": "ID=arch\n", "etc/lsb-release": "DISTRIB_ID=Arch\nDISTRIB_RELEASE=rolling\n" },
    { did: "arch", name: "Arch" },
  ],
  [
    "OpenWrt",
    { "etc/openwrt_release": "DISTRIB_ID='OpenWrt'\nDISTRIB_RELEASE='22.03.2'\n" },
    { did: "openwrt", name: "OpenWrt", versionId: "22.03.2" },
  ],
  [
    "etc before usr/lib",
    { "usr/lib/os-release": "ID=debian\n", "etc/os-release": "ID=kali\nID_LIKE=debian\n" },
    { did: "kali", like: ["debian"] },
  ],
  [
    "usr/lib if etc is empty",
    { "usr/lib/os-release": "ID=debian\nVERSION_ID=12\n", "etc/os-release": "" },
    { did: "debian", versionId: "12" },
  ],
];

describe("identifyRelease", () => {
  it.each(rows)("identifies %s", (_, files, expected) => {
    const { found, problems } = identify(files);

    expect(found?.release).toEqual(expected);
    expect(problems).toEqual([]);
  });

  it.each<[string, Files]>([
    ["no file", {}],
    ["an empty os-release", { "etc/os-release": "" }],
    ["an lsb-release that only names the LSB", { "etc/lsb-release": "LSB_VERSION=core-4.1-amd64\n" }],
    ["a greeting", { "etc/issue": "Authorized uses only\n" }],
  ])("finds no release and no problem in %s", (_, files) => {
    expect(identify(files)).toEqual({ problems: [] });
  });

  it.each<[string, Files, string]>([
    ["no ID", { "etc/os-release": 'NAME="Ubuntu"\n' }, "expected an ID, found none"],
    [
      "an invalid ID",
      { "etc/os-release": "ID=a b\n" },
      'expected ID to be letters, digits, ".", "_" or "-", found "a b"',
    ],
    ["too many bytes", { "etc/os-release": `ID=${"a".repeat(2 << 20)}` }, "expected at most 1048576 bytes"],
  ])("reports why a file with %s names no release", (_, files, message) => {
    const { found, problems } = identify(files);

    expect(found).toBeUndefined();
    expect(problems).toMatchObject([{ kind: "problem", path: "etc/os-release", code: "malformed_image" }]);
    expect(problems[0]?.message).toContain(message);
  });

  it("leaves out values that a report does not allow, with a problem", () => {
    const text = `ID=x\nVERSION_ID="1 SP2"\nCPE_NAME=none\nNAME="${"n".repeat(2000)}"\n`;
    const { found, problems } = identify({ "etc/os-release": text });

    expect(found?.release).toEqual({ did: "x" });
    expect(problems[0]?.message).toMatch(/NAME to be .*VERSION_ID to be .*CPE_NAME to be a CPE/);
  });

  it("names the file that decides", () => {
    const files = {
      "etc/os-release": "what\n",
      "usr/lib/os-release": "ID=debian\n",
      "etc/issue": "Debian GNU/Linux 12",
    };
    const { found, problems } = identify(files);

    expect(found?.path).toBe("usr/lib/os-release");
    expect(problems.map(({ path }) => path)).toEqual(["etc/os-release"]);
  });
});

function identify(files: Files) {
  return identifyRelease(new Map(Object.entries(files).map(([path, text]) => [path, bytesOf(text)])));
}
