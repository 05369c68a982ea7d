import { type Digest, isDigest, parseDigest } from "@plimsoll/core";
import type { ImageRepository } from "../access/queries/image-repositories.ts";
import { findAliveTag } from "../content/tags.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { isObject } from "../values/json-objects.ts";

import { type Endpoint, type Exchange, type OfDigest, sendJson } from "./distribution.ts";
import { DistributionError } from "./distribution-error.ts";
import { linkNext, pageSize } from "./lists.ts";
import { texts } from "./parse-manifest.ts";
import { listChildren, listReferrerRows, type ReferrerRow, readContents } from "./queries/referrers.ts";

const indexType = "application/vnd.oci.image.index.v1+json";

/**
 * `GET /v2/<name>/referrers/<digest>?artifactType=`: the manifests with the digest as their subject, ordered by digest. The list
 * includes the manifests of the fallback tag `sha256-<hex>`: an index that clients maintain for registries without this operation. A
 * repository that does not exist yet has an empty list, because clients take 404 as a registry without this operation.
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md#listing-referrers
 */
export const listReferrers: Endpoint<OfDigest, ImageRepository | undefined> = async (
  distribution,
  exchange,
  repository,
) => {
  const { params, query, response } = exchange;
  const subject = wantedSubject(params.digest);
  const size = pageSize(exchange);
  const artifactType = query.get("artifactType");
  const { db } = distribution.registry.store;
  const rows = repository ? await findReferrers(db, exchange, { repository, subject, size: size + 1 }) : [];
  const page = fitting(rows.slice(0, size));
  if (artifactType !== null) response.setHeader("oci-filters-applied", "artifactType");
  if (rows.length > page.length) {
    const filter = artifactType === null ? {} : { artifactType };
    linkNext(exchange, `/v2/${params.name}/referrers/${subject}`, { size, last: page.at(-1)?.digest, ...filter });
  }
  const contents = await readContents(db, repository, page);
  const manifests = page.map((row) => describe(row, contents.get(row.digest) ?? "{}"));
  await sendJson(response, { schemaVersion: 2, mediaType: indexType, manifests }, indexType);
};

/** The largest total size of a page's manifests, since their annotations are shown. A single larger manifest is a page. */
const pageBytes = 4 * 1024 * 1024;

/** The first manifests, as many as fit a page. */
function fitting(rows: readonly ReferrerRow[]): readonly ReferrerRow[] {
  let left = pageBytes;
  const tooMany = rows.findIndex(({ size_bytes }, index) => {
    left -= size_bytes;
    return left < 0 && index > 0;
  });
  return tooMany < 0 ? rows : rows.slice(0, tooMany);
}

interface Wanted {
  readonly repository: ImageRepository;
  readonly subject: Digest;
  readonly size: number;
}

async function findReferrers(db: RegistryDb, exchange: Exchange, { repository, subject, size }: Wanted) {
  const listed = await readFallbackTag(db, exchange, { repository, subject });
  const artifactType = exchange.query.get("artifactType") ?? "";
  return listReferrerRows(db, {
    repositoryId: repository.id,
    subject,
    listed,
    artifactType,
    after: exchange.query.get("last") ?? "",
    size,
  });
}

/** The digests in the index of the fallback tag. */
async function readFallbackTag(
  db: RegistryDb,
  { now }: Exchange,
  { repository, subject }: Pick<Wanted, "repository" | "subject">,
): Promise<readonly string[]> {
  const tag = await findAliveTag(db, { repositoryId: repository.id, name: fallbackTag(subject), now });
  if (tag === undefined) return [];
  const children = await listChildren(db, tag.manifest_id, maxListed);
  return children.map(({ digest }) => digest);
}

/** @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md#referrers-tag-schema */
function fallbackTag(subject: Digest): string {
  const [algorithm, hex = ""] = subject.split(":");
  return `${algorithm}-${hex.slice(0, 64)}`;
}

/** The most digests of a fallback tag: each is a parameter of a statement. */
const maxListed = 10_000;

/** The descriptor of a referrer. Its artifact type defaults to the media type of its configuration; an index has no default. */
function describe(row: ReferrerRow, content: string): unknown {
  const artifactType = row.artifact_type ?? row.config_media_type;
  const manifest: unknown = JSON.parse(content);
  const annotations = isObject(manifest) ? texts(manifest.annotations) : {};
  return {
    mediaType: row.media_type,
    digest: row.digest,
    size: row.size_bytes,
    ...(artifactType !== null && { artifactType }),
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
}

function wantedSubject(text: string): Digest {
  if (isDigest(text)) return parseDigest(text);
  throw new DistributionError("DIGEST_INVALID", "the digest is malformed or not supported");
}
