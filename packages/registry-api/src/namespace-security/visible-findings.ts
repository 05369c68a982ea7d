import { compareSeverity } from "@plimsoll/core";
import { imageSeverities } from "../content/views/severities.ts";
import type { OperationContext } from "../context.ts";
import { repositoryViewer } from "../repositories/queries/visible-repositories.ts";
import { nameToFind } from "../security/finding-counts.ts";
import { formatIsoSeconds } from "../values/dates.ts";
import { listTagsOfImages } from "./queries/shown-images.ts";
import {
  listImagesWith,
  listImagesWithNews,
  listNewVulnerabilities,
  type NewVulnerability,
} from "./queries/visible-findings.ts";
import { describeInImages } from "./vulnerability-details.ts";

const hourMs = 3_600_000;

/** The most new vulnerabilities of an image that are named. */
const mostNamed = 5;

/** The most new vulnerabilities that are read for a page of images. */
const mostRead = 2000;

/** Which page of a list. */
export interface Page {
  readonly page: number;
  readonly limit: number;
}

/** Images in which vulnerabilities were found within the last hours, in the repositories that the caller may read; the latest first. */
export async function viewNews(context: OperationContext, { hours, page, limit }: Page & { readonly hours: number }) {
  const { db, now } = context;
  const since = now - hours * hourMs;
  const rows = await listImagesWithNews(db, since, rowsOf(context, { page, limit }));
  const shown = rows.slice(0, limit);
  const news = await listNewVulnerabilities(db, { manifestIds: shown.map(({ id }) => id), since, most: mostRead });
  const byImage = Map.groupBy(news, ({ manifest_id }) => manifest_id);
  const placed = await placesOf(context, shown);
  const images = shown.map((row) => ({
    ...placed(row),
    found: formatIsoSeconds(row.news_at ?? since),
    ...summary(byImage.get(row.id) ?? []),
    severities: imageSeverities(row),
  }));
  return { images, page, has_additional: rows.length > limit };
}

function summary(found: readonly NewVulnerability[]) {
  const worstFirst = found.toSorted(
    (one, other) => other.is_exploited - one.is_exploited || compareSeverity(other.severity, one.severity),
  );
  const vulnerabilities = worstFirst.slice(0, mostNamed).map(({ name, severity, is_exploited }) => ({
    ...{ name: nameToShow(name), severity },
    known_exploited: is_exploited === 1,
  }));
  return { count: found.length, vulnerabilities };
}

/** The usual form of a name that is stored in small letters. */
function nameToShow(name: string): string {
  if (name.startsWith("ghsa-")) return `GHSA${name.slice(4)}`;
  return name.toUpperCase();
}

/** The images that have a vulnerability, in the repositories that the caller may read, with what it is and what fixes it in each. */
export async function viewVulnerability(
  context: OperationContext,
  { vulnerability, page, limit }: Page & { readonly vulnerability: string },
) {
  const rows = await listImagesWith(context.db, nameToFind(vulnerability), rowsOf(context, { page, limit }));
  const shown = rows.slice(0, limit);
  const placed = await placesOf(context, shown);
  const { details, packagesOf } = await describeInImages(context, shown, vulnerability);
  const affected = shown.map((row) => ({
    ...placed(row),
    severity: row.severity,
    fixable: row.has_fix === 1,
    known_exploited: row.is_exploited === 1,
    packages: packagesOf(row.id),
  }));
  return { vulnerability: details, affected, page, has_additional: rows.length > limit };
}

function rowsOf({ principal, globalRole, now }: OperationContext, { page, limit }: Page) {
  const viewer = repositoryViewer(principal, globalRole);
  return { viewer, now, offset: (page - 1) * limit, limit: limit + 1 };
}

interface PlacedImage {
  readonly id: string;
  readonly digest: string;
  readonly namespace: string;
  readonly repository: string;
}

/** Where images are. */
async function placesOf({ db, now }: OperationContext, images: readonly PlacedImage[]) {
  const tags = await listTagsOfImages(db, { manifestIds: images.map(({ id }) => id), now });
  const byImage = Map.groupBy(tags, ({ id }) => id);
  return ({ id, digest, namespace, repository }: PlacedImage) => ({
    repository: `${namespace}/${repository}`,
    manifest_digest: digest,
    tags: (byImage.get(id) ?? []).map(({ name }) => name),
  });
}
