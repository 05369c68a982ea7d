import type { Distribution } from "../../model/distribution.ts";
import type { PackageRepository } from "../../model/package.ts";

/** Distributions of rolling packages: their advisories know no release. */
const rolling: ReadonlySet<string> = new Set(["wolfi", "chainguard", "minimos"]);

/**
 * The key of the advisories for apk packages of a release: `alpine:3.20`, `alpine:edge`, `wolfi`, `chainguard`.
 *
 * An Alpine image may take its packages from another branch than its os-release says; the repositories it is set up with
 * know better. postmarketOS and Alpaquita get no key: they ship packages of their own.
 */
export function apkEcosystem(
  distribution: Distribution,
  repositories: readonly PackageRepository[],
): string | undefined {
  const { did = "" } = distribution;
  if (rolling.has(did)) return did;
  if (did !== "alpine") return undefined;
  const branch = branchOfRepositories(repositories) ?? branchOfRelease(distribution);
  return branch === undefined ? undefined : `alpine:${branch}`;
}

const branchPattern = /\/v?(\d+\.\d+|edge)\/(?:main|community)\/?$/;

/** Where several are set up, the newest: apk installs the newest version it can get. */
function branchOfRepositories(repositories: readonly PackageRepository[]): string | undefined {
  const branches = repositories.flatMap(({ uri = "" }) => branchPattern.exec(uri)?.[1] ?? []);
  return branches.sort(byBranch).at(-1);
}

function byBranch(a: string, b: string): number {
  const [majorA, minorA] = branchNumbers(a);
  const [majorB, minorB] = branchNumbers(b);
  return majorA - majorB || minorA - minorB;
}

function branchNumbers(branch: string): readonly [number, number] {
  if (branch === "edge") return [Number.MAX_SAFE_INTEGER, 0];
  const [major = 0, minor = 0] = branch.split(".").map(Number);
  return [major, minor];
}

/** `3.20.3` → `3.20`; a snapshot (`3.21.0_alpha20240923`) is edge. */
function branchOfRelease({ versionId = "", prettyName = "" }: Distribution): string | undefined {
  if (versionId === "edge" || /_(?:alpha|git)\d/.test(versionId) || /\bedge\b/.test(prettyName)) return "edge";
  return /^\d+\.\d+/.exec(versionId)?.[0];
}
