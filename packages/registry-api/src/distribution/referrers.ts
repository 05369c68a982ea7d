import { type Digest, isDigest, parseDigest } from "@plimsoll/core/digest";
import { parseJsonInSlices } from "@plimsoll/core/internal";
import { sendBody } from "@plimsoll/http";
import type { ImageRepository } from "@plimsoll/registry/access/queries";
import {
  listChildren,
  listReferrerRows,
  type ReferrerRow,
  readContents,
} from "@plimsoll/registry/content/queries/referrers";
import { findAliveTag } from "@plimsoll/registry/content/tags";
import type { UpstreamReferrer } from "@plimsoll/registry/ports/upstreams";
import { texts } from "@plimsoll/registry/push/parse-manifest";
import { isPulledThrough } from "@plimsoll/registry/push/pull-through";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import { isObject } from "@plimsoll/registry/values/misread-members";
import { cooperativeYield } from "@plimsoll/store";
import { type Static, Type } from "typebox";
import { type Endpoint, type Exchange, type OfDigest, sendJson } from "./distribution.ts";
import { DistributionError } from "./distribution-error.ts";
import { linkNext, PageQuery, pageSize, QueryText } from "./lists.ts";

/** A page of the referrers, of one type if that is given. */
export const ReferrersQuery = Type.Object({ ...PageQuery.properties, artifactType: QueryText });
type ReferrersQuery = Static<typeof ReferrersQuery>;
type ReferrersExchange = Exchange<OfDigest, ReferrersQuery>;

const indexType = "application/vnd.oci.image.index.v1+json";

/**
 * `GET /v2/<name>/referrers/<digest>?artifactType=`: the manifests with the digest as their subject, ordered by digest. The list
 * includes the manifests of the fallback tag `sha256-<hex>`: an index that clients maintain for registries without this operation. A
 * repository that does not exist yet has an empty list, because clients take 404 as a registry without this operation.
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md#listing-referrers
 */
export const listReferrers: Endpoint<OfDigest, ImageRepository | undefined, ReferrersQuery> = async (
  distribution,
  exchange,
  repository,
) => {
  const { params, query, response } = exchange;
  const subject = wantedSubject(params.digest);
  const size = pageSize(query);
  const { db } = distribution.registry.store;
  const { pullThrough } = distribution;
  if (pullThrough !== undefined && repository !== undefined && isPulledThrough(repository)) {
    return sendUpstream(exchange, { subject, size }, await pullThrough.findReferrers(repository, subject));
  }
  const rows = repository ? await findReferrers(db, exchange, { repository, subject, size: size + 1 }) : [];
  const page = fitting(rows.slice(0, size));
  nameNext(exchange, { subject, size }, { isMore: rows.length > page.length, last: page.at(-1)?.digest });
  const head = () => response.writeHead(200, { "content-type": indexType });
  const read = batches(page);
  const heldBytes = copies * Math.max(0, ...read.map(bytesOf));
  await sendBody(response, indexOf(db, read), { head, heldBytes, chunks: "own" });
};

/** How often the manifests that are read together are in memory: as texts, as bytes, and as the values in them. */
const copies = 3;

/** Manifests are read together up to this size. */
const batchBytes = 256 * 1024;

/** The bytes of the response are sent when they are as many. */
const chunkLength = 16 * 1024;

function bytesOf(rows: readonly ReferrerRow[]): number {
  return rows.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
}

/** Referrers that are read together: small ones, or one large one. */
function batches(page: readonly ReferrerRow[]): readonly (readonly ReferrerRow[])[] {
  const all: ReferrerRow[][] = [];
  for (const row of page) {
    const last = all.at(-1);
    if (last !== undefined && bytesOf(last) + row.size_bytes <= batchBytes) last.push(row);
    else all.push([row]);
  }
  return all;
}

/** The index of some referrers. */
async function* indexOf(db: RegistryDb, read: readonly (readonly ReferrerRow[])[]): AsyncIterable<Uint8Array> {
  const giveWay = cooperativeYield();
  let [text, separator] = [`{"schemaVersion":2,"mediaType":"${indexType}","manifests":[`, ""];
  for (const batch of read) {
    const contents = await readContents(db, batch);
    for (const row of batch) {
      const bytes = Buffer.from(contents.get(row.id) ?? "{}");
      const manifest = await parseJsonInSlices(bytes, { what: row.digest, code: "malformed_manifest" }, giveWay);
      text += `${separator}${JSON.stringify(describe(row, manifest))}`;
      separator = ",";
      await giveWay();
      if (text.length < chunkLength) continue;
      yield Buffer.from(text);
      text = "";
    }
  }
  yield Buffer.from(`${text}]}`);
}

/**
 * Sends a page of the referrers at the other registry of a cache. If that does not list referrers, the response is 404, so that clients look
 * for the referrers tag: an empty list would say that there are none.
 */
async function sendUpstream(
  exchange: ReferrersExchange,
  { subject, size }: Pick<Wanted, "subject" | "size">,
  found: readonly UpstreamReferrer[] | undefined,
): Promise<void> {
  if (found === undefined) {
    const message = "the other registry does not list referrers: look for the referrers tag";
    throw new DistributionError("UNSUPPORTED", message, { status: 404 });
  }
  const { artifactType = "", last: after = "" } = exchange.query;
  const rows = found
    .filter((each) => each.digest > after && (artifactType === "" || each.artifactType === artifactType))
    .sort((a, b) => (a.digest < b.digest ? -1 : 1));
  const page = rows.slice(0, size);
  nameNext(exchange, { subject, size }, { isMore: rows.length > page.length, last: page.at(-1)?.digest });
  const manifests = page.map(({ sizeBytes, ...each }) => ({ ...each, size: sizeBytes }));
  await sendJson(exchange.response, { schemaVersion: 2, mediaType: indexType, manifests }, indexType);
}

/** Sets the headers that name the filter and the next page. */
function nameNext(
  exchange: ReferrersExchange,
  { subject, size }: Pick<Wanted, "subject" | "size">,
  { isMore, last }: { readonly isMore: boolean; readonly last: string | undefined },
): void {
  const { params, query, response } = exchange;
  const { artifactType } = query;
  if (artifactType !== undefined) response.setHeader("oci-filters-applied", "artifactType");
  if (isMore) linkNext(exchange, `/v2/${params.name}/referrers/${subject}`, { size, last, artifactType });
}

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

async function findReferrers(db: RegistryDb, exchange: ReferrersExchange, { repository, subject, size }: Wanted) {
  const listed = await readFallbackTag(db, exchange, { repository, subject });
  const { artifactType = "", last: after = "" } = exchange.query;
  return listReferrerRows(db, {
    repositoryId: repository.id,
    subject,
    listed,
    artifactType,
    after,
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
function describe(row: ReferrerRow, manifest: unknown): unknown {
  const artifactType = row.artifact_type ?? row.config_media_type;
  const annotations = isObject(manifest) ? texts(manifest.annotations) : {};
  return {
    mediaType: row.media_type,
    digest: row.digest,
    size: row.size_bytes,
    artifactType: artifactType ?? undefined,
    annotations: Object.keys(annotations).length > 0 ? annotations : undefined,
  };
}

function wantedSubject(text: string): Digest {
  if (isDigest(text)) return parseDigest(text);
  throw new DistributionError("DIGEST_INVALID", "the digest is malformed or not supported");
}
