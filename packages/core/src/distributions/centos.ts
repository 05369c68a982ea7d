import { keyByVersion } from "./shared/keys.ts";
import type { KnownDistribution, Release } from "./shared/known-distribution.ts";

const rhelKey = keyByVersion("rhel", "major");

/** CentOS Linux, which rebuilds Red Hat Enterprise Linux version for version, and CentOS Stream. */
export const centos: KnownDistribution = {
  did: "centos",
  names: ["CentOS"],
  cpe: ["centos:centos", "centos:linux"],
  packaging: "rpm",
  vendorTags: ["centos"],
  advisoryKey: (release, repositories) => (isStream(release) ? undefined : rhelKey(release, repositories)),
};

/** Stream is where RHEL comes from, with versions that RHEL never ships. From 9 on there is nothing but Stream. */
function isStream({ name = "", prettyName = "", versionId = "" }: Release): boolean {
  return /stream/i.test(`${name} ${prettyName}`) || Number.parseInt(versionId, 10) >= 9;
}
