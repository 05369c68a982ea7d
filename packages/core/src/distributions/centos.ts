import { keyByVersion } from "./shared/keys.ts";
import type { KnownDistribution, Release } from "./shared/known-distribution.ts";

const rhelKey = keyByVersion("rhel", "major");

/** CentOS Linux, which rebuilds Red Hat Enterprise Linux version for version, and CentOS Stream. */
export const centos: KnownDistribution = {
  did: "centos",
  names: ["CentOS"],
  cpe: ["centos:centos", "centos:linux"],
  packaging: "rpm",
  otherIds: { "centos-stream": { name: "CentOS Stream" }, centosstream: { name: "CentOS Stream" } },
  vendorTags: ["centos"],
  advisoryKey: (release, repositories) => (isStream(release) ? undefined : rhelKey(release, repositories)),
  endOfLife: {
    "5": "2017-03-31",
    "6": "2020-11-30",
    "7": "2024-06-30",
    "8": "2021-12-31",
    "CentOS Stream 8": "2024-05-31",
    "CentOS Stream 9": "2027-05-31",
    "CentOS Stream 10": "2030-01-01",
  },
};

/** RHEL is built from Stream, which has versions that RHEL never ships. From release 9 on, CentOS is only Stream. */
function isStream({ name = "", prettyName = "", versionId = "" }: Release): boolean {
  return /stream/i.test(`${name} ${prettyName}`) || Number.parseInt(versionId, 10) >= 9;
}
