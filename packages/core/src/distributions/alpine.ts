import type { PackageRepository } from "../model/package.ts";
import { osvKeyBy } from "./shared/keys.ts";
import type { KnownDistribution, Release } from "./shared/known-distribution.ts";

/**
 * Alpine Linux. An image may install packages of another branch than its os-release names, so the configured repositories
 * come first.
 * @see https://alpinelinux.org/releases/ for the end of life
 */
export const alpine: KnownDistribution = {
  did: "alpine",
  names: ["Alpine Linux"],
  packaging: "apk",
  repositories: /\/(?:apks|community|main)$/, // `apks` is on a medium for installation
  advisoryKey: (release, repositories) => {
    const branch = branchOfRepositories(repositories) ?? branchOfRelease(release);
    return branch === undefined ? undefined : `alpine:${branch}`;
  },
  osv: { ecosystem: "Alpine", kind: "SOURCE", keyOf: osvKeyBy("alpine", /^v?(\d+\.\d+|edge)$/) },
  endOfLifeProduct: "alpine-linux",
  endOfLife: {
    "3.3": "2017-11-01",
    "3.4": "2018-05-01",
    "3.5": "2018-11-01",
    "3.6": "2019-05-01",
    "3.7": "2019-11-01",
    "3.8": "2020-05-01",
    "3.9": "2020-11-01",
    "3.10": "2021-05-01",
    "3.11": "2021-11-01",
    "3.12": "2022-05-01",
    "3.13": "2022-11-01",
    "3.14": "2023-05-01",
    "3.15": "2023-11-01",
    "3.16": "2024-05-23",
    "3.17": "2024-11-22",
    "3.18": "2025-05-09",
    "3.19": "2025-11-01",
    "3.20": "2026-04-01",
    "3.21": "2026-11-01",
    "3.22": "2027-05-01",
    "3.23": "2027-11-01",
  },
};

const branchPattern = /\/v?(\d+\.\d+|edge)\/(?:main|community)\/?$/;

/** The newest branch of the configured repositories: apk installs the newest version that it finds. */
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
function branchOfRelease({ versionId = "", prettyName = "" }: Release): string | undefined {
  if (versionId === "edge" || /_(?:alpha|git)\d/.test(versionId) || /\bedge\b/.test(prettyName)) return "edge";
  return /^\d+\.\d+/.exec(versionId)?.[0];
}
