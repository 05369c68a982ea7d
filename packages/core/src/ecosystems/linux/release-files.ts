import { findNamedDistribution } from "../../distributions/shared/find.ts";
import type { Release } from "../../distributions/shared/known-distribution.ts";
import { parseAssignments } from "./assignments.ts";
import { type FileProblems, mergeProblems } from "./file-problems.ts";
import { readOsRelease } from "./os-release.ts";
import { present } from "./present.ts";
import { findIdentifier, findLabel, type ReadRelease } from "./release.ts";
import {
  readAlpineRelease,
  readDebianVersion,
  readIssue,
  readReleaseCpe,
  readReleaseLine,
  readSuseRelease,
} from "./release-line.ts";

/** One kind of files that name the distribution of an image. */
export interface ReleaseFileKind {
  readonly read: ReadRelease;
  readonly paths: readonly string[];
}

/**
 * The kinds of release files, most reliable first: files with identifiers, then files of one distribution, then files that derivatives copy
 * (Oracle ships a `redhat-release` with Red Hat's name, Ubuntu a `debian_version`), then files that users may edit.
 */
export const releaseFileKinds: readonly ReleaseFileKind[] = [
  {
    read: readOsRelease,
    paths: [
      "etc/os-release",
      "usr/lib/os-release",
      "aarch64-bottlerocket-linux-gnu/sys-root/usr/lib/os-release",
      "x86_64-bottlerocket-linux-gnu/sys-root/usr/lib/os-release",
    ],
  },
  { read: readLsbRelease, paths: ["etc/lsb-release", "etc/openwrt_release"] },
  { read: readAlpineRelease, paths: ["etc/alpine-release"] },
  { read: readSuseRelease, paths: ["etc/SuSE-release"] },
  {
    read: readReleaseLine,
    paths: [
      "etc/oracle-release",
      "etc/enterprise-release",
      "etc/almalinux-release",
      "etc/anolis-release",
      "etc/azurelinux-release",
      "etc/centos-release",
      "etc/fedora-release",
      "usr/lib/fedora-release",
      "etc/mariner-release",
      "etc/openEuler-release",
      "etc/photon-release",
      "etc/rocky-release",
      "etc/redhat-release",
      "etc/system-release",
      "usr/lib/system-release",
    ],
  },
  { read: readReleaseCpe, paths: ["etc/system-release-cpe", "usr/lib/system-release-cpe"] },
  { read: readDebianVersion, paths: ["etc/debian_version"] },
  { read: readIssue, paths: ["etc/issue"] },
];

const releasePaths: ReadonlySet<string> = new Set(["etc/os-release", "usr/lib/os-release"]);

/**
 * Whether a path is that of `os-release`. The root of an installed system has this file, a folder of source code does not.
 * @example
 * isOsRelease("etc/os-release"); // true
 */
export function isOsRelease(path: string): boolean {
  return releasePaths.has(path);
}

/**
 * Reads the release in an lsb-release file, with lines in any order. Undefined without `DISTRIB_ID`, because many of these files have only
 * the version of the LSB.
 * @see https://refspecs.linuxfoundation.org/LSB_3.0.0/LSB-PDA/LSB-PDA/lsbrelease.html
 */
function readLsbRelease(bytes: Uint8Array, problems: FileProblems): Release | undefined {
  const { values, problems: lines } = parseAssignments(bytes);
  mergeProblems(problems, lines);
  const name = values.get("DISTRIB_ID")?.trim();
  const did =
    name === undefined ? undefined : (findNamedDistribution(name)?.did ?? findIdentifier("DISTRIB_ID", name, problems));
  if (did === undefined) return undefined;
  const number = values.get("DISTRIB_RELEASE") ?? "";
  return {
    did,
    ...present("name", findLabel("DISTRIB_ID", name, problems)),
    ...present("versionId", /^\d/.test(number) ? findIdentifier("DISTRIB_RELEASE", number, problems) : undefined),
    ...present("versionCodeName", findIdentifier("DISTRIB_CODENAME", values.get("DISTRIB_CODENAME"), problems)),
    ...present("prettyName", findLabel("DISTRIB_DESCRIPTION", values.get("DISTRIB_DESCRIPTION"), problems)),
  };
}
