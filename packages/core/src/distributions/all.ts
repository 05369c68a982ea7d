import { alpine } from "./alpine.ts";
import { debian } from "./debian.ts";
import { keyByVersion, osvKeyBy } from "./shared/keys.ts";
import type { KnownDistribution, OsvPart, Release } from "./shared/known-distribution.ts";
import { ubuntu } from "./ubuntu.ts";

const productPattern =
  /^Linux (Enterprise (?:Server|Module for .+|High Performance Computing)|(?:Enterprise )?Micro)(?: for SAP Applications)? (\d{1,4}(?:\.\d{1,4})?)(?: SP(\d{1,4}))?(?:-LTSS.*)?$/s;

/**
 * Finds the advisory key of a SUSE product by its name in OSV and OVAL. SLES installs packages of modules: those of
 * `Module for Basesystem 15 SP5` belong to SLES 15.5. From release 6 on, the name of Micro has no `Enterprise`.
 */
function suseKeyOf(did: "sle-micro" | "sles"): OsvPart["keyOf"] {
  return (suffix) => {
    const [, product, version, servicePack] = productPattern.exec(suffix) ?? [];
    if (product === undefined || product.endsWith("Micro") !== (did === "sle-micro")) return undefined;
    return `${did}:${version}${servicePack === undefined ? "" : `.${servicePack}`}`;
  };
}

const amznKey = keyByVersion("amzn", "major");
const rhelKey = keyByVersion("rhel", "major");

/**
 * The facts about each distribution by its identifier, in the order of the identifiers. Without an advisory key, no feed has advisories for its packages: those for
 * its parent do not apply to a derivative that rebuilds or replaces packages under its own versions. An advisory key without a version is that of
 * a rolling release, whose advisories name no release.
 */
const table = {
  /** Adélie Linux. */
  adelie: { packaging: "apk" },
  /** Alibaba Cloud Linux. */
  alinux: { packaging: "rpm" },
  /** AlmaLinux. */
  almalinux: {
    names: ["AlmaLinux"],
    cpe: ["almalinux:almalinux"],
    packaging: "rpm",
    otherIds: { alma: {} },
    vendorTags: ["almalinux"],
    hasModules: true,
    advisoryKey: keyByVersion("almalinux", "major"),
    osv: { ecosystem: "AlmaLinux", kind: "BINARY", keyOf: osvKeyBy("almalinux", /^(\d+)/) },
    endOfLife: { "8": "2029-03-01", "9": "2032-05-31", "10": "2035-05-31" },
  },
  /** Alpaquita Linux. */
  alpaquita: { packaging: "apk" },
  alpine,
  /** ALT Linux. */
  alt: { packaging: "rpm", vendorTags: ["alt linux team"] },
  /** ALT Linux, as its older releases name themselves. */
  altlinux: { packaging: "rpm", vendorTags: ["alt linux team"] },
  /** Amazon Linux. */
  amzn: {
    names: ["Amazon Linux"],
    cpe: ["amazon:amazon_linux", "amazon:linux"],
    packaging: "rpm",
    purlNamespace: "amazon",
    otherIds: { amazonlinux: {}, "amazon-linux": {} },
    vendorTags: ["amazon linux", "amazon.com"], // the latter is Amazon Linux 1
    advisoryKey: (release, repositories) => {
      const key = amznKey(release, repositories);
      return key === "amzn:2018" ? "amzn:1" : key; // the last release of Amazon Linux 1
    },
    endOfLifeProduct: "amazon-linux",
    endOfLife: { "1": "2023-12-31", "2": "2026-06-30", "2023": "2029-06-30" },
  },
  /** Anolis OS. */
  anolis: { names: ["Anolis OS"], packaging: "rpm", vendorTags: ["openanolis"] },
  /** Arch Linux. */
  arch: { packaging: "pacman", advisoryKey: () => "arch", listsUnfixed: true },
  /** Arch Linux, as some package URLs name it. */
  archlinux: { packaging: "pacman", advisoryKey: () => "arch", listsUnfixed: true },
  /** Astra Linux. */
  astra: { packaging: "dpkg" },
  /** Azure Linux, from release 3 on. Earlier releases are CBL-Mariner. */
  azurelinux: {
    names: ["Microsoft Azure Linux"],
    packaging: "rpm",
    otherIds: { azure: {}, "azure-linux": {}, azl: {} },
    vendorTags: ["microsoft corporation"],
    advisoryKey: keyByVersion("azurelinux", "minor"),
    osv: {
      ecosystem: "Azure Linux",
      kind: "SOURCE",
      keyOf: (suffix) => (suffix === "3" ? "azurelinux:3.0" : undefined),
    },
    endOfLife: { "3.0": "2027-08-31" },
  },
  /**
   * Bottlerocket. Its image is built as a whole from rpm packages, with a list of them in the place of a package manager. Its advisories name
   * versions of packages, not of releases.
   */
  bottlerocket: { packaging: "rpm", advisoryKey: () => "bottlerocket" },
  /** Buildroot. */
  buildroot: { packaging: "none" },
  /** CentOS Linux, which rebuilds Red Hat Enterprise Linux version for version, and CentOS Stream. */
  centos: {
    names: ["CentOS"],
    cpe: ["centos:centos", "centos:linux"],
    packaging: "rpm",
    otherIds: { "centos-stream": { name: "CentOS Stream" }, centosstream: { name: "CentOS Stream" } },
    vendorTags: ["centos", "red hat"], // whose advisories judge both
    advisoryKey: (release, repositories) => (isCentOsStream(release) ? undefined : rhelKey(release, repositories)),
    endOfLife: {
      "5": "2017-03-31",
      "6": "2020-11-30",
      "7": "2024-06-30",
      "8": "2021-12-31",
      "CentOS Stream 8": "2024-05-31",
      "CentOS Stream 9": "2027-05-31",
      "CentOS Stream 10": "2030-01-01",
    },
  },
  /** Chainguard OS. */
  chainguard: {
    names: ["Chainguard"],
    packaging: "apk",
    repositories: /\/(?:chainguard(?:-private)?|extra-packages|extras|os)$/,
    advisoryKey: () => "chainguard",
    osv: { ecosystem: "Chainguard", kind: "SOURCE", isDefault: true, keyOf: () => "chainguard" },
  },
  /** CloudLinux. */
  cloudlinux: { names: ["CloudLinux"], packaging: "rpm", vendorTags: ["cloudlinux"] },
  /** Container-Optimized OS. */
  cos: { packaging: "none" },
  debian,
  /** Deepin. */
  deepin: { packaging: "dpkg" },
  /** Devuan: Debian without systemd. */
  devuan: { packaging: "dpkg" },
  /** elementary OS. */
  elementary: { packaging: "dpkg" },
  /** EulerOS. */
  euleros: { names: ["EulerOS"], packaging: "rpm" },
  /** EuroLinux. */
  eurolinux: { packaging: "rpm", vendorTags: ["eurolinux"] },
  /** Fedora. */
  fedora: {
    names: ["Fedora"],
    cpe: ["fedoraproject:fedora"],
    packaging: "rpm",
    vendorTags: ["fedora project"],
    hasModules: true,
    advisoryKey: keyByVersion("fedora", "major"),
    endOfLife: {
      "25": "2017-12-12",
      "26": "2018-05-29",
      "27": "2018-11-30",
      "28": "2019-05-28",
      "29": "2019-11-26",
      "30": "2020-05-26",
      "31": "2020-11-24",
      "32": "2021-05-25",
      "33": "2021-11-30",
      "34": "2022-06-07",
      "35": "2022-12-13",
      "36": "2023-05-16",
      "37": "2023-12-05",
      "38": "2024-05-21",
      "39": "2024-11-26",
      "40": "2025-05-13",
      "41": "2025-12-15",
      "42": "2026-05-13",
      "43": "2026-12-09",
    },
  },
  /** Flatcar Container Linux. */
  flatcar: { packaging: "none" },
  /** Gentoo. */
  gentoo: { packaging: "portage" },
  /** Kali Linux. */
  kali: { packaging: "dpkg", maker: "Kali Linux" },
  /** Kylin. */
  kylin: { packaging: "rpm" },
  /** Linux Mint. */
  linuxmint: {
    packaging: "dpkg",
    endOfLife: { "19": "2023-04-30", "20": "2025-04-30", "21": "2027-04-30", "22": "2029-04-30" },
  },
  /** Mageia. */
  mageia: {
    packaging: "rpm",
    vendorTags: ["mageia"],
    advisoryKey: keyByVersion("mageia", "major"),
    osv: { ecosystem: "Mageia", kind: "SOURCE", isDefault: true, keyOf: osvKeyBy("mageia", /^(\d+)/) },
    endOfLife: { "5": "2017-12-31", "6": "2019-09-30", "7": "2021-06-30", "8": "2023-11-30" },
  },
  /** Manjaro. */
  manjaro: { packaging: "pacman", maker: "Manjaro Linux" },
  /** CBL-Mariner. OSV uses its later name, Azure Linux. */
  mariner: {
    names: ["CBL-Mariner"],
    packaging: "rpm",
    otherIds: { "cbl-mariner": {}, cblmariner: {} },
    vendorTags: ["microsoft corporation"],
    advisoryKey: keyByVersion("mariner", "minor"),
    osv: {
      ecosystem: "Azure Linux",
      kind: "SOURCE",
      keyOf: (suffix) => (suffix === "2" ? "mariner:2.0" : undefined),
    },
    endOfLife: { "1.0": "2023-08-31", "2.0": "2025-07-31" },
  },
  /** MinimOS. */
  minimos: {
    packaging: "apk",
    advisoryKey: () => "minimos",
    osv: { ecosystem: "MinimOS", kind: "SOURCE", isDefault: true, keyOf: () => "minimos" },
  },
  /** MIRACLE LINUX. */
  miraclelinux: { packaging: "rpm" },
  /** NixOS. */
  nixos: {
    packaging: "nix",
    endOfLife: {
      "21.11": "2022-06-30",
      "22.05": "2022-12-31",
      "22.11": "2023-06-30",
      "23.05": "2023-12-31",
      "23.11": "2024-06-30",
      "24.05": "2024-12-31",
      "24.11": "2025-06-30",
      "25.05": "2025-12-31",
      "25.11": "2026-06-30",
      "26.05": "2026-12-31",
    },
  },
  /** Nobara. */
  nobara: { packaging: "rpm" },
  /** Oracle Linux. Only vendor tags of Oracle America count: other parts of Oracle publish MySQL packages. */
  ol: {
    names: ["Oracle Linux", "Enterprise Linux Enterprise Linux"],
    cpe: ["oracle:linux"],
    packaging: "rpm",
    purlNamespace: "oracle",
    otherIds: { oraclelinux: {}, "oracle-linux": {} },
    vendorTags: ["oracle america"],
    hasModules: true,
    advisoryKey: keyByVersion("ol", "major"),
    endOfLifeProduct: "oracle-linux",
    endOfLife: {
      "5": "2017-06-30",
      "6": "2021-03-31",
      "7": "2024-12-31",
      "8": "2029-07-31",
      "9": "2032-06-30",
      "10": "2035-06-30",
    },
  },
  /** OpenCloudOS. */
  opencloudos: { packaging: "rpm", vendorTags: ["opencloudos"] },
  /** openEuler. */
  openeuler: {
    names: ["openEuler"],
    packaging: "rpm",
    vendorTags: ["http://openeuler.org", "https://www.openeuler.org", "openeuler"],
    advisoryKey: openeulerKey,
    osv: {
      ecosystem: "openEuler",
      kind: "SOURCE",
      keyOf: (suffix) => (suffix === "" ? undefined : `openeuler:${suffix.toLowerCase()}`),
    },
    endOfLife: {
      "20.03-lts": "2021-03-31",
      "20.03-lts-sp1": "2022-12-31",
      "20.03-lts-sp2": "2022-04-30",
      "20.03-lts-sp3": "2023-12-31",
      "20.03-lts-sp4": "2025-11-30",
      "22.03-lts": "2024-03-31",
      "22.03-lts-sp1": "2024-12-31",
      "22.03-lts-sp2": "2024-03-31",
      "22.03-lts-sp3": "2025-12-31",
      "22.03-lts-sp4": "2026-06-30",
      "24.03-lts": "2026-05-31",
      "24.03-lts-sp1": "2026-12-31",
      "24.03-lts-sp2": "2026-03-31",
      "24.03-lts-sp3": "2027-12-31",
    },
  },
  /** OpenMandriva. */
  openmandriva: { packaging: "rpm", vendorTags: ["openmandriva"] },
  /** openSUSE before Leap and Tumbleweed. */
  opensuse: {
    names: ["openSUSE"],
    packaging: "rpm",
    vendorTags: ["opensuse"],
    endOfLife: {
      "13.1": "2016-02-03",
      "13.2": "2017-01-17",
      "42.1": "2017-05-17",
      "42.2": "2018-01-26",
      "42.3": "2019-07-01",
    },
  },
  /** openSUSE Leap. */
  "opensuse-leap": {
    names: ["openSUSE Leap"],
    cpe: ["opensuse:leap"],
    packaging: "rpm",
    otherIds: { "opensuse.leap": {} },
    vendorTags: ["opensuse", "suse"], // it takes packages of SLES as they are
    advisoryKey: keyByVersion("opensuse-leap", "full"),
    osv: { ecosystem: "openSUSE", kind: "SOURCE", keyOf: osvKeyBy("opensuse-leap", /^Leap (\d+\.\d+)$/) },
    endOfLifeProduct: "opensuse",
    endOfLife: {
      "15.0": "2019-12-03",
      "15.1": "2021-02-02",
      "15.2": "2022-01-04",
      "15.3": "2022-12-31",
      "15.4": "2023-12-07",
      "15.5": "2024-12-31",
      "15.6": "2026-04-30",
      "16.0": "2027-10-31",
    },
  },
  /** openSUSE Tumbleweed. */
  "opensuse-tumbleweed": {
    names: ["openSUSE Tumbleweed"],
    packaging: "rpm",
    otherIds: { "opensuse.tumbleweed": {} },
    vendorTags: ["opensuse"],
    advisoryKey: () => "opensuse-tumbleweed",
    osv: {
      ecosystem: "openSUSE",
      kind: "SOURCE",
      keyOf: (suffix) => (suffix === "Tumbleweed" ? "opensuse-tumbleweed" : undefined),
    },
  },
  /** OpenWrt, which has replaced opkg with apk. */
  openwrt: { packaging: "opkg", otherPackaging: ["apk"] },
  /** Parrot OS. */
  parrot: { packaging: "dpkg" },
  /** Photon OS. */
  photon: {
    names: ["VMware Photon"],
    packaging: "rpm",
    vendorTags: ["broadcom", "vmware"],
    advisoryKey: keyByVersion("photon", "full"),
    endOfLife: { "1.0": "2022-02-28", "2.0": "2022-12-01", "3.0": "2024-03-01", "4.0": "2026-03-01" },
  },
  /** Pop!_OS. */
  pop: { packaging: "dpkg" },
  /** postmarketOS. */
  postmarketos: {
    packaging: "apk",
    endOfLife: {
      "v21.12": "2022-07-12",
      "v22.06": "2023-01-18",
      "v22.12": "2023-07-07",
      "v23.06": "2024-01-18",
      "v23.12": "2024-07-16",
      "v24.06": "2025-01-23",
      "v24.12": "2025-07-23",
    },
  },
  /** Proxmox VE. */
  proxmox: { packaging: "dpkg", maker: "Proxmox VE" },
  /** PureOS. */
  pureos: { packaging: "dpkg" },
  /** Raspberry Pi OS in its 32-bit edition. */
  raspbian: { packaging: "dpkg", maker: "Raspberry Pi OS" },
  /** Red Hat Enterprise Linux CoreOS. */
  rhcos: { names: ["Red Hat Enterprise Linux CoreOS"], packaging: "rpm", vendorTags: ["red hat"] },
  /**
   * Red Hat Enterprise Linux. Red Hat's own feed names each product by its CPE name, subscriber streams (EUS) included. OSV does not, so only
   * its records about the plain release are used.
   */
  rhel: {
    names: ["Red Hat Enterprise Linux"],
    cpe: ["redhat:enterprise_linux"],
    packaging: "rpm",
    purlNamespace: "redhat",
    otherIds: { "red-hat": {}, "red hat": {} },
    vendorTags: ["red hat"],
    hasModules: true,
    listsUnfixed: true,
    advisoryKey: keyByVersion("rhel", "major"),
    osv: { ecosystem: "Red Hat", kind: "BINARY", keyOf: osvKeyBy("rhel", /^enterprise_linux:(\d+)/) },
    endOfLife: {
      "4": "2012-02-29",
      "5": "2017-03-31",
      "6": "2020-11-30",
      "7": "2024-06-30",
      "8": "2029-05-31",
      "9": "2032-05-31",
      "10": "2035-05-31",
    },
  },
  /** Rocky Linux. */
  rocky: {
    names: ["Rocky Linux"],
    cpe: ["rocky:rocky"],
    packaging: "rpm",
    otherIds: { rockylinux: {}, "rocky-linux": {} },
    vendorTags: ["rocky"],
    hasModules: true,
    advisoryKey: keyByVersion("rocky", "major"),
    osv: { ecosystem: "Rocky Linux", kind: "SOURCE", keyOf: osvKeyBy("rocky", /^(\d+)/) },
    endOfLifeProduct: "rocky-linux",
    endOfLife: { "8": "2029-05-31", "9": "2032-05-31", "10": "2035-05-31" },
  },
  /** Scientific Linux. */
  scientific: {
    names: ["Scientific Linux"],
    packaging: "rpm",
    vendorTags: ["scientific linux"],
    endOfLife: { "6": "2020-11-30", "7": "2024-06-30" },
  },
  /** SUSE Linux Micro, which was SUSE Linux Enterprise Micro before its release 6. */
  "sl-micro": {
    packaging: "rpm",
    otherIds: { "suse linux micro": {} },
    vendorTags: ["suse"],
    advisoryKey: keyByVersion("sle-micro", "full"),
  },
  /** SUSE Linux Enterprise Micro. */
  "sle-micro": {
    packaging: "rpm",
    otherIds: { slem: {}, "suse linux enterprise micro": {} },
    vendorTags: ["suse"],
    advisoryKey: keyByVersion("sle-micro", "full"),
    osv: { ecosystem: "SUSE", kind: "SOURCE", keyOf: suseKeyOf("sle-micro") },
  },
  /** SUSE Linux Enterprise Desktop. */
  sled: { names: ["SUSE Linux Enterprise Desktop"], packaging: "rpm", vendorTags: ["suse"] },
  /** SUSE Linux Enterprise Server. */
  sles: {
    names: ["SUSE Linux Enterprise Server"],
    cpe: ["suse:sles"],
    packaging: "rpm",
    otherIds: { "suse linux enterprise server": {} },
    vendorTags: ["suse"],
    advisoryKey: keyByVersion("sles", "full"),
    osv: { ecosystem: "SUSE", kind: "SOURCE", keyOf: suseKeyOf("sles") },
    endOfLife: {
      "11.4": "2019-03-31",
      "12.3": "2019-06-30",
      "12.4": "2020-06-30",
      "12.5": "2024-10-31",
      "15": "2019-12-31",
      "15.1": "2021-01-31",
      "15.2": "2021-12-31",
      "15.3": "2022-12-31",
      "15.4": "2023-12-31",
      "15.5": "2024-12-31",
      "15.6": "2025-12-31",
      "15.7": "2031-07-31",
    },
  },
  /** SUSE Linux Enterprise Server for SAP Applications: SLES with additions. */
  sles_sap: { packaging: "rpm", vendorTags: ["suse"], advisoryKey: keyByVersion("sles", "full") },
  /** The family of SUSE's distributions, as `ID_LIKE` names it. */
  suse: { packaging: "rpm" },
  /** Talos Linux. */
  talos: { packaging: "none" },
  /** TencentOS. */
  tencentos: { packaging: "rpm" },
  ubuntu,
  /** Unity Operating System. */
  uos: { packaging: "dpkg" },
  /** Virtuozzo. */
  virtuozzo: { names: ["Virtuozzo"], packaging: "rpm", vendorTags: ["virtuozzo"] },
  /** Wolfi. */
  wolfi: {
    names: ["Wolfi"],
    packaging: "apk",
    repositories: /\/(?:chainguard|extra-packages|extras|os)$/, // its advisories do not have those of subscribers
    advisoryKey: () => "wolfi",
    osv: { ecosystem: "Wolfi", kind: "SOURCE", isDefault: true, keyOf: () => "wolfi" },
  },
} as const satisfies Readonly<Record<string, Omit<KnownDistribution, "did">>>;

/** RHEL is built from Stream, which has versions that RHEL never ships. From release 9 on, CentOS is only Stream. */
function isCentOsStream({ name = "", prettyName = "", versionId = "" }: Release): boolean {
  return /stream/i.test(`${name} ${prettyName}`) || Number.parseInt(versionId, 10) >= 9;
}

/**
 * Of os-release only `VERSION` and `PRETTY_NAME` have the service pack: `22.03 (LTS-SP1)` is `openeuler:22.03-lts-sp1`. Tools write it into the version:
 * `22.03-LTS-SP1`.
 */
function openeulerKey({ versionId = "", version = "", prettyName = "" }: Release): string | undefined {
  if (versionId === "") return undefined;
  if (/lts/i.test(versionId)) return `openeuler:${versionId.toLowerCase()}`;
  const pack = [version, prettyName].flatMap(
    (words) => /[( -](LTS(?:[- ]SP\d{1,2})?)(?![\w-])/i.exec(words)?.[1] ?? [],
  )[0];
  return `openeuler:${pack === undefined ? versionId : `${versionId}-${pack.toLowerCase().replace(" ", "-")}`}`;
}

/** Every distribution that the engine knows, in the order of the identifiers. */
export const allDistributions: readonly KnownDistribution[] = Object.entries<Omit<KnownDistribution, "did">>(table).map(
  ([did, known]) => ({ did, ...known }),
);
