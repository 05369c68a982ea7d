/** Generated Debian images, and advisories before and after a feed update that changes some of them; the same in every run. */
import type { Advisory, Distribution, IndexReport, Package } from "@plimsoll/core";
import { type Digest, parseDigest } from "@plimsoll/core/digest";
import { type Random, seeded } from "./synthetic-advisories.ts";

/** The size of a world. */
export interface RematchWorld {
  readonly manifests: number;
  /** Number of source packages of each of the two releases. */
  readonly sources: number;
  /** Number of advisories of each source package. */
  readonly perSource: number;
  /** Number of advisories that the update changes. */
  readonly changed: number;
}

const releases = ["11", "12"] as const;
/** Number of packages that are in every image, in one version. */
const everywhere = 3;
/** Number of packages that are in many images. */
const popular = 50;

/** The index report of an image: about 20 packages, some of them from the same source. */
export function reportOf(world: RematchWorld, index: number): IndexReport {
  const random = seeded(index);
  const release = releases[index % releases.length] ?? "";
  const sources = new Set<number>([0, 1, 2]);
  while (sources.size < 7) sources.add(everywhere + random(popular));
  while (sources.size < 17) sources.add(everywhere + random(world.sources - everywhere));
  const packages = [...sources].flatMap((source) => packagesOf(source, random));
  const found = packages.map((each, at) => ({ ...each, id: `${at + 1}` }));
  const distribution: Distribution = { id: "1", did: "debian", versionId: release };
  const environment = { packageDb: "var/lib/dpkg/status", introducedIn: layer, distributionId: "1", repositoryIds: [] };
  return {
    manifestDigest: digestOf(index),
    state: "IndexFinished",
    success: true,
    packages: Object.fromEntries(found.map((each) => [each.id, each])),
    distributions: { "1": distribution },
    repositories: {},
    environments: Object.fromEntries(found.map(({ id }) => [id, [environment]])),
    coverage: { status: "complete", layers: [], databases: [], problems: [], unassessed: [], thirdPartyPackages: 0 },
  };
}

function digestOf(index: number): Digest {
  return parseDigest(`sha256:${index.toString(16).padStart(64, "0")}`);
}

const layer = digestOf(0);

/** Every fourth source has two binaries. */
function packagesOf(source: number, random: Random): readonly Package[] {
  const version = source < everywhere ? "1.4-1" : `1.${random(8)}-1`;
  const from: Package = { id: "s", name: `src-${source}`, version, kind: "SOURCE" };
  const names = source % 4 === 0 ? [`lib-${source}`, `lib-${source}-dev`] : [`lib-${source}`];
  return names.map((name) => ({ id: "", name, version, kind: "BINARY", arch: "amd64", source: from }));
}

/** The advisories of the distribution's feed before and after the update. */
export function* advisoriesOf(world: RematchWorld, when: "before" | "after"): Generator<Advisory> {
  const total = releases.length * world.sources * world.perSource;
  const step = Math.floor(total / world.changed);
  for (let index = 0; index < total; index++) {
    const advisory = advisoryOf(world, index);
    const isChanged = index % step === 0 && index / step < world.changed;
    if (!isChanged) yield advisory;
    else yield* changedTo(when, advisory, index / step);
  }
}

/** The advisories of another feed, which does not change: every seventh vulnerability, half of them under an alias. */
export function* otherAdvisoriesOf(world: RematchWorld): Generator<Advisory> {
  const total = releases.length * world.sources * world.perSource;
  for (let index = 0; index < total; index += 7) {
    const { name, ...advisory } = advisoryOf(world, index);
    const aliased = index % 2 === 0 ? { name: `GHSA-${index}`, aliases: [name] } : { name };
    yield { ...advisory, aliases: [], ...aliased, id: `osv/${index}`, updater: "osv", ranges: [{ fixed: "1.7-1" }] };
  }
}

const severities = ["Unknown", "Negligible", "Low", "Medium", "High", "Critical"] as const;

function advisoryOf({ sources }: RematchWorld, index: number): Advisory {
  const random = seeded(index);
  const source = index % sources;
  const release = releases[Math.floor(index / sources) % releases.length] ?? "";
  const name = `CVE-2024-${10_000 + index}`;
  return {
    id: `debian/${name}/${release}`,
    updater: "debian",
    name,
    aliases: [],
    ecosystem: `debian:${release}`,
    packageName: `src-${source}`,
    packageKind: "SOURCE",
    status: "affected",
    ranges: [random(5) === 0 ? {} : { fixed: `1.${random(8)}-1` }],
    versions: [],
    description: `What is wrong is described under ${name}.`,
    links: [`https://security-tracker.debian.org/tracker/${name}`],
    normalizedSeverity: severities[random(severities.length)] ?? "Unknown",
  };
}

/** The ways in which an advisory changes: its fix, added, removed, its severity, and statements of not being affected. */
function changedTo(when: "before" | "after", advisory: Advisory, place: number): readonly Advisory[] {
  const isAfter = when === "after";
  const binary = { packageKind: "BINARY", packageName: advisory.packageName.replace("src", "lib") } as const;
  switch (place % 6) {
    case 0:
      return [{ ...advisory, ranges: [{ fixed: isAfter ? "1.5-1" : "1.2-1" }] }];
    case 1:
      return isAfter ? [advisory] : [];
    case 2:
      return isAfter ? [] : [advisory];
    case 3:
      return [{ ...advisory, normalizedSeverity: isAfter ? "Critical" : "Low" }];
    case 4:
      return [{ ...advisory, status: isAfter ? "not-affected" : "affected", ranges: [{}] }];
    default: {
      const statement = {
        ...advisory,
        ...binary,
        id: `${advisory.id}/lib`,
        status: "not-affected",
        ranges: [{}],
      } as const;
      return isAfter ? [advisory, statement] : [advisory];
    }
  }
}
