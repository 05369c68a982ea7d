import { withoutUndefined } from "../../without-undefined.ts";
import { allDistributions } from "../all.ts";
import type { Release } from "./known-distribution.ts";

interface StatedName {
  readonly name: string;
  readonly did: string;
  /** What the name says besides the identifier. */
  readonly more: Pick<Release, "name">;
}

/** Names of distributions in package URLs and bills of materials. Longest first, so that `opensuse-leap` is not read as `opensuse`. */
const byLongestName: readonly StatedName[] = allDistributions
  .flatMap(({ did, purlNamespace = did, otherIds = {} }) => [
    { name: did, did, more: {} },
    { name: purlNamespace, did, more: {} },
    ...Object.entries(otherIds).map(([name, more]) => ({ name, did, more })),
  ])
  .toSorted((a, b) => b.name.length - a.name.length);

/**
 * The release that a tool writes as one text, after an identifier of its own: `debian-12`, `debian:12`, `alma-9.5`, `amazon-2 (Karoo)`. Undefined
 * where the text begins with no known identifier.
 */
export function parseStatedRelease(text: string): Release | undefined {
  const lower = text.toLowerCase();
  const known = byLongestName.find(
    ({ name }) => lower.startsWith(name) && ["", ...separators].includes(lower.charAt(name.length)),
  );
  return known && { did: known.did, ...known.more, ...versionOf(text.slice(known.name.length + 1)) };
}

const separators = ["-", ":", "/", " "] as const;

/** The distribution that a tool names by an identifier or a namespace of its own, without a release. */
export function findStatedDistribution(name: string): Release | undefined {
  const lower = name.toLowerCase();
  const known = byLongestName.find((each) => each.name === lower);
  return known && { did: known.did, ...known.more };
}

/** A release as a document describes it, with the identifier and the version that os-release has. A code name in the place of a version is moved. */
export function normalizeStatedRelease(release: Release): Release {
  const known = findStatedDistribution(release.did ?? "");
  const { versionId, ...rest } = release;
  return { ...versionOf(versionId ?? ""), ...withoutUndefined(rest), ...(known && withoutUndefined(known)) };
}

/** `12`, `v3.20`, `2 (Karoo)`, `AMI release 2018.03`, `15-SP6`, `15 SP6`, `22.03 (LTS-SP3)`, `bookworm` or `trixie/sid`. */
export function versionOf(text: string): Pick<Release, "versionId" | "versionCodeName"> {
  const [release = ""] = text
    .trim()
    .replace(/^(?:AMI release |v(?=\d))/, "")
    .replace(/^(\d{1,3})[ -]SP(\d{1,2})(?![\w.])/i, "$1.$2") // of SUSE, whose os-release has 15.6
    .replace(/^(\d{2}\.\d{2}) \((LTS(?:-SP\d{1,2})?)\)/i, "$1-$2") // of openEuler
    .split(/[ /]/, 1);
  if (release === "") return {};
  return /^\d/.test(release) ? { versionId: release } : { versionCodeName: release };
}
