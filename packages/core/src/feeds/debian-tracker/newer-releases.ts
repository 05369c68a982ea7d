import { debianVersion } from "../../distributions/debian.ts";
import { dpkgVersions } from "../../ecosystems/dpkg/version.ts";
import type { Advisory, AdvisoryRange } from "../../model/advisory.ts";
import { compareText, findVersion, orderOf } from "../../versions/define-order.ts";

/** A statement on a release. */
interface OfRelease {
  readonly codeName: string;
  readonly status: Advisory["status"];
  readonly ranges: readonly AdvisoryRange[];
  /** The version that the release has, if it is known. */
  readonly held?: string;
}

/** The fix that a release has, or the version that it has without one. */
interface Point {
  readonly release: number;
  readonly version: string;
  readonly isFixed: boolean;
}

/**
 * Adds statements on releases that a record does not name, since they do not have the package: a package there is one of another release. It is judged as in the
 * nearest newer release that has the package, else as in the nearest older one, from which an upgrade of the system may have left it.
 * @param releases the code names of all releases that the feed is about
 */
export function withOtherReleases<Statement extends Stated<OfRelease>>(
  statements: readonly Statement[],
  releases: Iterable<string>,
): readonly (Statement & { readonly isOfOther?: true })[] {
  const named = new Set(statements.map(({ codeName }) => codeName));
  const numbers = [...named].map((codeName) => ({ codeName, release: releaseNumber(codeName) }));
  const ascending = numbers
    .filter(({ release }) => !Number.isNaN(release))
    .sort((a, b) => orderOf(a.release, b.release));
  if (ascending.length === 0) return statements;
  const added = [...releases].flatMap((codeName) => {
    const own = releaseNumber(codeName);
    if (named.has(codeName) || Number.isNaN(own)) return [];
    const nearest = ascending.find(({ release }) => release > own) ?? ascending.at(-1);
    const of = statements.filter((each) => each.codeName === nearest?.codeName);
    return of.map((each) => ({ ...each, codeName, isOfOther: true as const }));
  });
  return [...statements, ...added];
}

/** A statement, and whether it is about versions of newer releases, beside the release's own statement that its version is not affected. */
type Stated<Statement> = Statement & { readonly isOfNewer?: true };

/**
 * Adds what newer releases say to the statements on one vulnerability of a source package. An image may have packages of a newer release,
 * which are above the fix of its own release without having it: Debian 12 has the fix in `1.0-1+deb12u1`, but `2.0-1` of Debian 13 has none before
 * `2.0-2`, or none at all. The added range begins at the versions that are nearer to those of the newer release than to the older fix: `[2~, 2.0-2)`, or
 * `[2~, …)`.
 *
 * That a release is not affected (`0`), or has no fix, is said of the version that it has: the vulnerable code may have come later, and a newer
 * version may have the fix. So these statements end where the versions of newer releases begin. If the release's own version is not known, "no fix" ends at
 * the first fix of a newer release, and "not affected" is undecided for the versions that a newer release has or had: of the same upstream version as its fix,
 * or at least the version that it has without one.
 * @see https://security-team.debian.org/security_tracker.html#distribution-tags
 */
export function withNewerReleases<Statement extends OfRelease>(
  statements: readonly Statement[],
): readonly Stated<Statement>[] {
  const points = statements.flatMap(pointOf);
  if (points.length === 0) return statements;
  return statements.flatMap((statement): readonly Stated<Statement>[] => {
    if (!isAboutOneVersion(statement)) return [statement];
    const own = releaseNumber(statement.codeName);
    const newer = points.filter(({ release }) => release > own);
    const version = versionOf(statement);
    if (statement.status === "not-affected") return notAffectedBelow(statement, newerRanges(version, newer));
    const fix = version === undefined && isOpen(statement) ? lowestFix(newer) : undefined;
    if (fix !== undefined) return [{ ...statement, ranges: [{ below: fix }, ...newerRanges(fix, newer)] }];
    const added = version === undefined ? [] : newerRanges(version, newer);
    const hasFix = statement.ranges.some(({ fixed }) => fixed !== undefined);
    const isOpenInAll = !hasFix && !added.some(({ fixed }) => fixed !== undefined);
    if (added.length === 0 || isOpenInAll) return [statement];
    return [{ ...statement, ranges: [...(hasFix ? statement.ranges : [{ below: added[0]?.introduced }]), ...added] }];
  });
}

/** The statement that a release is not affected, and what newer releases say. */
function notAffectedBelow<Statement extends OfRelease>(
  statement: Statement,
  ranges: readonly AdvisoryRange[],
): readonly Stated<Statement>[] {
  const [range] = ranges;
  if (range === undefined) return [statement];
  const status = versionOf(statement) === undefined ? "undetermined" : "affected";
  return [
    { ...statement, ranges: [{ below: range.introduced }] },
    { ...statement, status, ranges, isOfNewer: true },
  ];
}

/** Whether a statement is about the version that the release has, or had. */
function isAboutOneVersion({ status, ranges: [only, ...more] }: OfRelease): boolean {
  if (status === "undetermined" || only === undefined || more.length > 0) return false;
  return only.introduced === undefined && only.lastAffected === undefined;
}

function isOpen({ status, ranges: [only] }: OfRelease): boolean {
  return status === "affected" && only !== undefined && Object.values(only).every((bound) => bound === undefined);
}

function lowestFix(points: readonly Point[]): string | undefined {
  const fixes = points.flatMap(({ version, isFixed }) => (isFixed ? [version] : []));
  return fixes.toSorted((a, b) => compareText(dpkgVersions, a, b))[0];
}

/** The version above which those of newer releases begin: the fix of a release, else the version that it has; undefined if neither is known. */
function versionOf({ ranges, held }: OfRelease): string | undefined {
  const version = ranges[0]?.fixed ?? held;
  return version === undefined || findVersion(dpkgVersions, version) === undefined ? undefined : version;
}

function pointOf(statement: OfRelease): readonly Point[] {
  const isAffected = statement.status === "affected" && isAboutOneVersion(statement);
  const version = isAffected ? versionOf(statement) : undefined;
  if (version === undefined) return [];
  return [{ release: releaseNumber(statement.codeName), version, isFixed: statement.ranges[0]?.fixed !== undefined }];
}

/** `sid` is newer than all. */
function releaseNumber(codeName: string): number {
  const version = debianVersion(codeName);
  return version === "sid" ? Number.POSITIVE_INFINITY : Number(version);
}

function newerRanges(first: string | undefined, points: readonly Point[]): readonly AdvisoryRange[] {
  const ranges: AdvisoryRange[] = [];
  let below = first;
  let open: string | undefined;
  for (const point of points.toSorted((a, b) => compareText(dpkgVersions, a.version, b.version))) {
    const { version, isFixed } = point;
    if (below !== undefined && compareText(dpkgVersions, version, below) <= 0) continue;
    const introduced = open ?? (below === undefined ? firstOfNewer(point) : firstOfSeries(below, version));
    if (isFixed && introduced !== undefined) ranges.push({ introduced, fixed: version });
    open = isFixed ? undefined : introduced;
    below = version;
  }
  return open === undefined ? ranges : [...ranges, { introduced: open }];
}

/** The first version that is surely of a newer release, where nothing is known below it: of the upstream version of its fix, else the version it has. */
function firstOfNewer({ version, isFixed }: Point): string {
  const { epoch, upstream } = dpkgVersions.parse(version);
  return isFixed ? `${epoch === 0 ? "" : `${epoch}:`}${upstream}~` : version;
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
