import type { AccountRow } from "../access/queries/accounts.ts";
import { imageSeverities, severityCountsView } from "../content/views/severities.ts";
import type { OperationContext } from "../context.ts";
import { repositoryViewer } from "../repositories/queries/visible-repositories.ts";
import { nameToFind } from "../security/finding-counts.ts";
import {
  type ImagesOfNamespace,
  listAffectedImages,
  listTagsOfImages,
  listWorstImages,
  sumFindings,
} from "./queries.ts";

/** Which page of the images. */
export interface SecurityPage {
  readonly page: number;
  readonly limit: number;
}

type Namespace = Pick<AccountRow, "id" | "username">;

/** What the images of a namespace have, as far as the caller may read their repositories, and a page of them, the worst first. */
export async function viewSecurity(context: OperationContext, namespace: Namespace, { page, limit }: SecurityPage) {
  const { db } = context;
  const query = imagesOf(context, namespace);
  const sums = await sumFindings(db, query);
  const rows = await listWorstImages(db, { ...query, offset: (page - 1) * limit, limit: limit + 1 });
  const worst = await placed(context, namespace, rows.slice(0, limit));
  return {
    severities: severityCountsView(sums),
    ...coverageOf(sums),
    worst: worst.map(({ row, ...image }) => ({ ...image, severities: imageSeverities(row) })),
    page,
    has_additional: rows.length > limit,
  };
}

/** The images of a namespace that have a vulnerability, as far as the caller may read their repositories, and how many may have it besides. */
export async function viewAffectedImages(
  context: OperationContext,
  namespace: Namespace,
  { vulnerability, page, limit }: SecurityPage & { readonly vulnerability: string },
) {
  const { db } = context;
  const query = imagesOf(context, namespace);
  const sums = await sumFindings(db, query);
  const name = nameToFind(vulnerability);
  const rows = await listAffectedImages(db, { ...query, name, offset: (page - 1) * limit, limit: limit + 1 });
  const found = await placed(context, namespace, rows.slice(0, limit));
  return {
    affected: found.map(({ row: { severity, has_fix, is_exploited }, ...image }) => ({
      ...image,
      severity,
      fixable: has_fix === 1,
      known_exploited: is_exploited === 1,
    })),
    ...coverageOf(sums),
    page,
    has_additional: rows.length > limit,
  };
}

function imagesOf({ principal, globalRole, now }: OperationContext, { id }: Namespace): ImagesOfNamespace {
  return { namespaceId: id, viewer: repositoryViewer(principal, globalRole), now };
}

function coverageOf({ images, counted, is_partial }: Awaited<ReturnType<typeof sumFindings>>) {
  return { images, uncounted: images - counted, partial: is_partial };
}

interface FoundImage {
  readonly id: string;
  readonly digest: string;
  readonly repository: string;
}

/** Rows with where their images are. */
async function placed<Found extends FoundImage>(
  { db, now }: OperationContext,
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
