import { severities } from "@plimsoll/core/severity";
import type { AccountRow } from "@plimsoll/registry/access/queries";
import { byCounts } from "@plimsoll/registry/content/worst-counts";
import type { CallContext } from "@plimsoll/registry/context";
import { repositoryViewer } from "@plimsoll/registry/repositories/queries/visible-repositories";
import { FirstOf } from "@plimsoll/registry/security/namespace-security/first-of";
import {
  countByAge,
  type DailyCounts,
  listDailyCounts,
  listTagsOfImages,
  listVisible,
  type NamedRepository,
} from "@plimsoll/registry/security/namespace-security/queries";
import { type NamespaceImage, readImages } from "@plimsoll/registry/security/namespace-security/read-images";
import { listVulnerabilityNames, worseOf } from "@plimsoll/registry/security/namespace-security/vulnerability-details";
import { type SharedUpgrade, UpgradeSums } from "@plimsoll/registry/security/upgrades";
import { readByKeys, readPages } from "@plimsoll/registry/store/bounded-reads";
import { dayOf } from "@plimsoll/registry/values/dates";
import { Type } from "typebox";
import {
  ImageSeverities,
  imageSeverities,
  noSeverities,
  type SeverityCounts,
  severityCountsView,
} from "../../content/views.ts";

/** Which page of the images. */
interface SecurityPage {
  readonly page: number;
  readonly limit: number;
}

/** What else is asked for. */
interface SecurityQuery extends SecurityPage {
  /** How many of the upgrades that remove the most. */
  readonly upgrades?: number;
}

type Namespace = Pick<AccountRow, "id" | "username">;

/** Members that name the place of an image. */
export const placeMembers = {
  repository: Type.String({ description: "NAMESPACE/NAME" }),
  manifest_digest: Type.String(),
  tags: Type.Array(Type.String(), { description: "The first ten that show it, themselves or by a list of manifests" }),
};

/** An image in which vulnerabilities were found lately. */
export const ImageWithNews = Type.Object({
  ...placeMembers,
  found: Type.String({ format: "date-time", description: "When the last of them was found" }),
  count: Type.Integer({ description: "How many vulnerabilities were found since" }),
  vulnerabilities: Type.Array(
    Type.Object({ name: Type.String(), severity: Type.Enum([...severities]), known_exploited: Type.Boolean() }),
    { description: "The first five: those that are exploited, then the most severe" },
  ),
  severities: Type.Union([ImageSeverities, Type.Null()], {
    description: "All that the image has; null: not counted",
  }),
});

/**
 * The sums of vulnerabilities over the images of a namespace that the caller may read, and a page of the images, the worst first; where they are
 * asked for, also the upgrades that remove the most.
 */
export async function viewSecurity(
  context: CallContext,
  namespace: Namespace,
  { page, limit, upgrades: mostUpgrades }: SecurityQuery,
) {
  const coverage = { images: 0, uncounted: 0, partial: 0 };
  const severities = { ...noSeverities };
  const worst = new FirstOf<NamespaceImage>(
    page * limit + 1,
    (one, other) => byCounts(one, other) || byPlace(one, other),
  );
  const upgrades = new UpgradeSums();
  for await (const images of readImages(context, namespace, "")) {
    for (const image of images) {
      cover(coverage, image);
      addCounts(severities, severityCountsView(image));
      worst.add(image);
    }
    if (mostUpgrades !== undefined) await upgrades.add(context.db, images);
  }
  const { rows, ...paging } = pageOf(worst, { page, limit });
  const placed = await placeImages(context, namespace, rows);
  const shown = placed.map(({ row, ...image }) => ({ ...image, severities: imageSeverities(row) }));
  const shared = mostUpgrades && upgrades.first(mostUpgrades).map((each) => upgradeView(namespace, each));
  return { severities, ...coverage, worst: shown, upgrades: shared || undefined, ...paging };
}

/** An upgrade as clients see it. */
export const Upgrade = Type.Object({
  package_type: Type.String({ description: "The type of its package URL, such as deb; empty if that is not known" }),
  package: Type.String({ description: "The package to upgrade: the source package, if there is one" }),
  version: Type.String(),
  to: Type.String({ description: "The lowest version that fixes all of the vulnerabilities with a known fix" }),
  critical: Type.Integer({ description: "How many critical vulnerabilities it removes, in all images together" }),
  high: Type.Integer(),
  known_exploited: Type.Integer(),
  images: Type.Integer(),
  repositories: Type.Array(Type.String(), { description: "NAMESPACE/NAME of the first five that have such images" }),
});

function upgradeView({ username }: Namespace, { to_version, exploited, repositories, ...upgrade }: SharedUpgrade) {
  const names = repositories.map((name) => `${username}/${name}`);
  return { ...upgrade, to: to_version, known_exploited: exploited, repositories: names };
}

/** A page of the images of a namespace that have a vulnerability and that the caller may read, and how many images were not fully judged. */
export async function viewAffectedImages(
  context: CallContext,
  namespace: Namespace,
  { vulnerability, page, limit }: SecurityPage & { readonly vulnerability: string },
) {
  const coverage = { images: 0, uncounted: 0, partial: 0 };
  const found = new FirstOf<AffectedImage>(page * limit + 1, byPlace, worseOf);
  const [name = vulnerability, ...others] = await listVulnerabilityNames(context, vulnerability);
  for await (const images of readImages(context, namespace, name)) {
    for (const image of images) {
      cover(coverage, image);
      if (isAffected(image)) found.add(image);
    }
  }
  for (const other of others) {
    for await (const images of readImages(context, namespace, other)) {
      for (const image of images.filter(isAffected)) found.add(image);
    }
  }
  const { rows, ...paging } = pageOf(found, { page, limit });
  const placed = await placeImages(context, namespace, rows);
  const affected = placed.map(({ row: { severity, has_fix, is_exploited }, ...image }) => ({
    ...image,
    severity,
    fixable: has_fix === 1,
    known_exploited: is_exploited === 1,
  }));
  return { affected, ...coverage, ...paging };
}

type AffectedImage = NamespaceImage & { readonly severity: NonNullable<NamespaceImage["severity"]> };

function isAffected(image: NamespaceImage): image is AffectedImage {
  return image.severity !== null;
}

function cover(coverage: { images: number; uncounted: number; partial: number }, image: NamespaceImage): void {
  coverage.images++;
  if (image.counted_at === null) coverage.uncounted++;
  if (image.is_partial === 1) coverage.partial++;
}

function addCounts(sums: SeverityCounts, counts: SeverityCounts): void {
  for (const name of Object.keys(sums) as (keyof SeverityCounts)[]) sums[name] += counts[name];
}

function byPlace(one: NamespaceImage, other: NamespaceImage): number {
  if (one.repository !== other.repository) return one.repository < other.repository ? -1 : 1;
  if (one.digest === other.digest) return 0;
  return one.digest < other.digest ? -1 : 1;
}

function pageOf<Item>(first: FirstOf<Item>, { page, limit }: SecurityPage) {
  const rows = first.sorted().slice((page - 1) * limit);
  return { rows: rows.slice(0, limit), page, has_additional: rows.length > limit };
}

/** Adds to each row the place of its image: repository, digest and tags. */
async function placeImages<Found extends NamespaceImage>(
  { db, now }: CallContext,
  { username }: Namespace,
  rows: readonly Found[],
) {
  const tags = await listTagsOfImages(db, { manifestIds: rows.map(({ id }) => id), now });
  const byImage = Map.groupBy(tags, ({ id }) => id);
  return rows.map((row) => ({
    row,
    repository: `${username}/${row.repository}`,
    manifest_digest: row.digest,
    tags: (byImage.get(row.id) ?? []).map(({ name }) => name),
  }));
}

const dayMs = 86_400_000;

/** The sums over the images of a namespace on a day. */
interface TrendDay {
  readonly day: string;
  readonly severities: SeverityCounts;
  images: number;
  uncounted: number;
  partial: number;
}

/**
 * How many vulnerabilities the images of a namespace had on each of the last days, in repositories that the caller may read. The days begin with the first
 * that has stored counts. Deleted repositories are left out for all days.
 */
export async function viewTrend(
  { db, principal, globalRole, now }: CallContext,
  { id: namespaceId }: Pick<AccountRow, "id">,
  { days: length }: { readonly days: number },
) {
  const days = Array.from({ length }, (_, index) => emptyDay(dayOf(now - (length - 1 - index) * dayMs)));
  const firstDay = days[0]?.day ?? "";
  const viewer = repositoryViewer(principal, globalRole);
  let since: string | undefined;
  const pages = readPages<NamedRepository>((last) => listVisible(db, { namespaceId, viewer, after: last?.id ?? "" }));
  for await (const repositories of pages) {
    const ids = repositories.map(({ id }) => id);
    for await (const rows of readByKeys<DailyCounts>(ids, (some) =>
      listDailyCounts(db, { repositoryIds: some, firstDay }),
    )) {
      for (const ofRepository of Map.groupBy(rows, ({ repository_id }) => repository_id).values()) {
        addRepository(days, ofRepository);
      }
      for (const { day } of rows) if (since === undefined || day < since) since = day;
    }
  }
  return { days: since === undefined ? [] : days.filter(({ day }) => day >= (since ?? "")) };
}

function emptyDay(day: string): TrendDay {
  return { day, severities: { ...noSeverities }, images: 0, uncounted: 0, partial: 0 };
}

/** Adds the counts of a repository to each day: those that were stored last until then. */
function addRepository(days: readonly TrendDay[], rows: readonly DailyCounts[]): void {
  let next = 0;
  let current: DailyCounts | undefined;
  for (const day of days) {
    for (let row = rows[next]; row !== undefined && row.day <= day.day; row = rows[++next]) current = row;
    if (current !== undefined) addViewTrendCounts(day, current);
  }
}

function addViewTrendCounts(day: TrendDay, counts: DailyCounts): void {
  const { severities } = day;
  for (const name of ["critical", "high", "medium", "low", "negligible", "unknown", "fixable"] as const) {
    severities[name] += counts[name];
  }
  severities.known_exploited += counts.exploited;
  day.images += counts.images;
  day.uncounted += counts.uncounted;
  day.partial += counts.partial;
}

/** The ends of the periods by which vulnerabilities are told apart, in days before now. */
const ageDays = [7, 30, 90] as const;

/** How many images are counted in one statement, since a statement of SQLite keeps others waiting. */
const agedAtOnce = 100;

/** The vulnerabilities of the images of a namespace that the caller may read, by how long they have been known. */
export async function viewAges(context: CallContext, namespace: Namespace) {
  const coverage = { images: 0, uncounted: 0, partial: 0 };
  const ages = [...ageDays, null].map((under) => ({ under_days: under, severities: { ...noSeverities } }));
  const since = ageDays.map((days) => context.now - days * dayMs);
  for await (const images of readImages(context, namespace, "")) {
    for (const image of images) cover(coverage, image);
    const ids = images.map(({ id }) => id);
    for (let first = 0; first < ids.length; first += agedAtOnce) {
      for (const found of await countByAge(context.db, ids.slice(first, first + agedAtOnce), since)) {
        const counts = ages[Number(found.period)]?.severities;
        if (counts === undefined) continue;
        counts[found.severity.toLowerCase() as Lowercase<typeof found.severity>] += Number(found.count);
        counts.fixable += Number(found.fixable);
        counts.known_exploited += Number(found.exploited);
      }
    }
  }
  return { ages, ...coverage };
}
