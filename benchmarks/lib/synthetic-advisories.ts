/** Half a million generated ranges for ten Debian releases, and an image to match against them; the same in every run. */
import type { Advisory } from "@plimsoll/core";
import type { IndexRecord } from "@plimsoll/core/match";
import type { FeedItem } from "@plimsoll/core/plugins";

/** The number of ranges of {@link syntheticAdvisories}. */
export const ranges = 500_000;
/** The number of packages of {@link imageOfPackages}. */
export const packagesPerImage = 500;

const names = 6_000;
const ecosystems = Array.from({ length: 10 }, (_, index) => `debian:${index + 5}`);

/** Returns integers from 0 to below a bound. */
export type Random = (below: number) => number;

/** mulberry32: the same numbers in every run. */
export function seeded(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function versionOf(random: Random): string {
  const revision = random(3) === 0 ? `+deb12u${1 + random(9)}` : "";
  return `${random(10)}.${random(40)}.${random(40)}${random(5) === 0 ? "+dfsg" : ""}-${1 + random(9)}${revision}`;
}

/** Every twentieth package has very many advisories, like a kernel or a browser. */
function advisoriesOfName(name: number): number {
  const usual = 5 + (name % 5 === 0 ? 0 : 1);
  const usualTotal = names * 5.8 * 0.95;
  return name % 20 === 0 ? Math.round((ranges / ecosystems.length - usualTotal) / (names / 20)) : usual;
}

/** The advisories as items of a feed. */
export async function* syntheticAdvisories(): AsyncGenerator<FeedItem<Advisory>> {
  const random = seeded(20_261_121);
  for (const ecosystem of ecosystems) {
    for (let name = 0; name < names; name++) {
      const packageName = `package-${name}`;
      for (let index = advisoriesOfName(name); index > 0; index--) {
        const cve = `CVE-${2005 + random(20)}-${1000 + name * 40 + index}`;
        const id = `debian/${cve}/${packageName}/${ecosystem.slice(7)}`;
        const fixed = random(5) === 0 ? {} : { fixed: versionOf(random) };
        yield { kind: "item", item: advisory({ id, name: cve, ecosystem, packageName, ranges: [fixed] }) };
      }
    }
  }
}

function advisory(given: Pick<Advisory, "id" | "name" | "ecosystem" | "packageName" | "ranges">): Advisory {
  return {
    ...given,
    aliases: [],
    packageKind: "SOURCE",
    status: "affected",
    versions: [],
    updater: "benchmark",
    description: `What is wrong is described under ${given.name}.`,
    links: [`https://security-tracker.debian.org/tracker/${given.name}`],
    normalizedSeverity: "Unknown",
  };
}

/** An image of Debian 12 with 500 packages, none of which has very many advisories. */
export function imageOfPackages(): readonly IndexRecord[] {
  const random = seeded(20_261_122);
  const distribution = { id: "1", did: "debian", versionId: "12", name: "Debian GNU/Linux" };
  return Array.from({ length: packagesPerImage }, (_, index) => {
    const name = `package-${1 + index * 11 + Math.floor((index * 11) / 19)}`;
    const source = { id: `s${index}`, name, version: versionOf(random), kind: "SOURCE" } as const;
    const installed = { ...source, id: `${index}`, kind: "BINARY", arch: "amd64", source } as const;
    return { package: installed, packageDb: "var/lib/dpkg/status", distribution, repositories: [] };
  });
}
