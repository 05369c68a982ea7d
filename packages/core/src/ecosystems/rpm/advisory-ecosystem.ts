import type { Distribution } from "../../model/distribution.ts";

/** Which part of `version_id` the advisories of a distribution are published for. */
type VersionPart = "major" | "full" | "none";

interface Release {
  /** In the key, before the colon. */
  readonly name: string;
  readonly part: VersionPart;
}

/**
 * Distributions by os-release `ID`. Those under another's name use its packages unchanged: CentOS Linux rebuilds RHEL
 * version for version, SLES for SAP is SLES with additions. Other derivatives (`ID_LIKE`) get no key: EuroLinux,
 * Virtuozzo, Scientific Linux and the like carry packages of their own under the same names.
 */
const releases: ReadonlyMap<string, Release> = new Map([
  ["rhel", { name: "rhel", part: "major" }],
  ["centos", { name: "rhel", part: "major" }],
  ["rocky", { name: "rocky", part: "major" }],
  ["almalinux", { name: "almalinux", part: "major" }],
  ["ol", { name: "ol", part: "major" }],
  ["amzn", { name: "amzn", part: "major" }],
  ["fedora", { name: "fedora", part: "major" }],
  ["sles", { name: "sles", part: "full" }],
  ["sles_sap", { name: "sles", part: "full" }],
  ["sle-micro", { name: "sle-micro", part: "full" }],
  ["sl-micro", { name: "sle-micro", part: "full" }],
  ["opensuse-leap", { name: "opensuse-leap", part: "full" }],
  ["opensuse-tumbleweed", { name: "opensuse-tumbleweed", part: "none" }],
  ["photon", { name: "photon", part: "full" }],
  ["mariner", { name: "mariner", part: "full" }],
  ["azurelinux", { name: "azurelinux", part: "full" }],
  ["mageia", { name: "mageia", part: "major" }],
]);

/**
 * The key of the advisories for rpm packages of a release: `rhel:8`, `centos` 7 → `rhel:7`, `sles:15.5`, `photon:4.0`,
 * `openeuler:22.03-lts-sp1`.
 */
export function rpmEcosystem(distribution: Distribution): string | undefined {
  const { did = "", versionId = "" } = distribution;
  if (did === "openeuler") return openEulerEcosystem(distribution);
  const release = releases.get(did);
  if (release === undefined || isCentosStream(distribution)) return undefined;
  if (release.part === "none") return release.name;
  const version = (release.part === "major" ? /^\d+/ : /^\d+(?:\.\d+)*/).exec(versionId)?.[0];
  if (version === undefined) return undefined;
  return `${release.name}:${did === "amzn" && Number(version) === 2018 ? "1" : version}`;
}

/** Stream is where RHEL comes from, with versions that RHEL never ships. From 9 on there is nothing but Stream. */
function isCentosStream({ did, name = "", prettyName = "", versionId = "" }: Distribution): boolean {
  return did === "centos" && (/stream/i.test(`${name} ${prettyName}`) || Number.parseInt(versionId, 10) >= 9);
}

/** Service packs are only in the version's words: `22.03 (LTS-SP1)`. */
function openEulerEcosystem({ versionId, version = "" }: Distribution): string | undefined {
  const pack = /\((LTS[^()]*)\)/i.exec(version)?.[1];
  if (!versionId) return undefined;
  return `openeuler:${pack === undefined ? versionId : `${versionId}-${pack.toLowerCase()}`}`;
}
