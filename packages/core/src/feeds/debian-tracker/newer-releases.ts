import { debianVersion } from "../../distributions/debian.ts";
import { dpkgVersions } from "../../ecosystems/dpkg/version.ts";
import type { AdvisoryRange } from "../../model/advisory.ts";
import { compareText, findVersion } from "../../versions/define-order.ts";

/** A statement on a release. */
interface OfRelease {
  readonly codeName: string;
  readonly ranges: readonly AdvisoryRange[];
}

/**
 * Adds the fixes of newer releases to the statements on one vulnerability of a source package. An image may have packages of a newer release,
 * which are above the fix of its own release without having it: Debian 12 has the fix in `1.0-1+deb12u1`, but `2.0-1` of Debian 13 has none before
 * `2.0-2`. The added range begins at the versions that are nearer to the newer fix than to the older one: `[2~, 2.0-2)`.
 */
export function withNewerReleases<Statement extends OfRelease>(statements: readonly Statement[]): readonly Statement[] {
  const fixes = statements.flatMap(({ codeName, ranges }) => {
    const [only] = ranges;
    const fixed = ranges.length === 1 && only?.introduced === undefined ? only?.fixed : undefined;
    return fixed === undefined || findVersion(dpkgVersions, fixed) === undefined
      ? []
      : [{ release: releaseNumber(codeName), fixed }];
  });
  if (new Set(fixes.map(({ fixed }) => fixed)).size < 2) return statements;
  return statements.map((statement) => {
    const own = releaseNumber(statement.codeName);
    const first = fixes.find(({ release }) => release === own)?.fixed;
    if (first === undefined) return statement;
    const newer = fixes.filter(({ release }) => release > own).map(({ fixed }) => fixed);
    return { ...statement, ranges: [...statement.ranges, ...newerRanges(first, newer)] };
  });
}

/** `sid` is newer than all. */
function releaseNumber(codeName: string): number {
  const version = debianVersion(codeName);
  return version === "sid" ? Number.POSITIVE_INFINITY : Number(version);
}

function newerRanges(first: string, fixes: readonly string[]): readonly AdvisoryRange[] {
  const ranges: AdvisoryRange[] = [];
  let below = first;
  for (const fixed of fixes.toSorted((a, b) => compareText(dpkgVersions, a, b))) {
    if (compareText(dpkgVersions, fixed, below) <= 0) continue;
    const introduced = firstOfSeries(below, fixed);
    if (introduced !== undefined) ranges.push({ introduced, fixed });
    below = fixed;
  }
  return ranges;
}

/** The first version that is nearer to `higher` than to `lower`: `2~` for 1.0-1 and 2.0-2, `6.8~` for 6.1.90-1 and 6.8.9-1; undefined where there is none. */
function firstOfSeries(lower: string, higher: string): string | undefined {
  const [low, high] = [dpkgVersions.parse(lower), dpkgVersions.parse(higher)];
  if (low.epoch !== high.epoch) return `${high.epoch}:0~`;
  const [lowNumbers, highNumbers] = [numbersOf(low.upstream), numbersOf(high.upstream)];
  const at = highNumbers.findIndex((number, index) => Number(number) !== Number(lowNumbers[index] ?? -1));
  if (at === -1 || Number(highNumbers[at]) < Number(lowNumbers[at] ?? -1)) return undefined;
  const epoch = high.epoch === 0 ? "" : `${high.epoch}:`;
  return `${epoch}${highNumbers.slice(0, at + 1).join(".")}~`;
}

/** `6`, `1`, `90` of `6.1.90+dfsg`. */
function numbersOf(upstream: string): readonly string[] {
  return /^\d+(?:\.\d+)*/.exec(upstream)?.[0].split(".") ?? [];
}
