import { endTag, listAliveTagsOf } from "../rules/tags.ts";
import { findStoredManifest, findTaggedManifest, type ImageManifestRow } from "../store/image-manifests.ts";
import type { ImageRepository } from "../store/image-repositories.ts";
import { lockRepository } from "../store/lock-repository.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { admit } from "./admit.ts";
import { type Distribution, type Endpoint, type Exchange, sendEmpty } from "./distribution.ts";
import { DistributionError } from "./distribution-error.ts";
import { logUse } from "./log-usage.ts";
import { parseReference, type Reference } from "./reference.ts";

/** `HEAD /v2/<name>/manifests/<reference>` */
export const headManifest: Endpoint = async (distribution, exchange) => {
  const { manifest } = await getManifestOf(distribution, exchange);
  exchange.response.writeHead(200, manifestHeaders(manifest)).end();
};

/** `GET /v2/<name>/manifests/<reference>`: exactly the bytes that were pushed. */
export const getManifest: Endpoint = async (distribution, exchange) => {
  const { request, response, params } = exchange;
  const { repository, manifest } = await getManifestOf(distribution, exchange);
  const headers = manifestHeaders(manifest);
  if (request.headers["if-none-match"] === headers.etag)
    return sendEmpty(response, 304, { ...headers, "content-length": 0 });
  const reference = params.reference ?? "";
  const use = { kind: "pull_repo", repository, reference, mediaType: manifest.media_type } as const;
  await logUse(distribution.registry.store.db, exchange, use);
  response.writeHead(200, headers).end(manifest.content);
};

/** `DELETE /v2/<name>/manifests/<reference>`: ends the tag; by digest, every tag, and the manifest is not there any more. */
export const deleteManifest: Endpoint = async (distribution, exchange) => {
  const repository = await admit(distribution, exchange, "push");
  const reference = wantedReference(exchange);
  await distribution.registry.store.transaction(async (db) => {
    await lockRepository(db, repository.id);
    const names =
      reference.kind === "tag"
        ? [reference.name]
        : await hideManifest(db, { repository, digest: reference.digest, now: exchange.now });
    for (const name of names) {
      const ended = await endTag(db, { repositoryId: repository.id, name, now: exchange.now });
      if (ended === undefined && reference.kind === "tag") throw unknownManifest(name);
      if (ended !== undefined) await logUse(db, exchange, { kind: "delete_tag", repository, reference: name });
    }
  });
  sendEmpty(exchange.response, 202, {});
};

async function getManifestOf(
  distribution: Distribution,
  exchange: Exchange,
): Promise<{ readonly repository: ImageRepository; readonly manifest: ImageManifestRow }> {
  const repository = await admit(distribution, exchange, "pull");
  const reference = wantedReference(exchange);
  const { db } = distribution.registry.store;
  const repositoryId = repository.id;
  if (reference.kind === "digest") {
    const manifest = await findStoredManifest(db, { repositoryId, digest: reference.digest });
    if (manifest === undefined || manifest.deleted_at !== null) throw unknownManifest(reference.digest);
    return { repository, manifest };
  }
  const manifest = await findTaggedManifest(db, { repositoryId, name: reference.name, now: exchange.now });
  if (manifest === undefined) throw unknownManifest(reference.name);
  return { repository, manifest };
}

/** @throws DistributionError `DIGEST_INVALID`, `MANIFEST_UNKNOWN` */
function wantedReference({ params: { reference = "" } }: Exchange): Reference {
  const parsed = parseReference(reference);
  if (parsed === undefined) throw unknownManifest(reference);
  return parsed;
}

/**
 * What an index needs loses only its tags.
 * @returns the names of its tags, which are to end
 * @throws DistributionError where it has none, and an index needs it
 */
async function hideManifest(
  db: RegistryDb,
  { repository, digest, now }: { readonly repository: ImageRepository; readonly digest: string; readonly now: number },
): Promise<readonly string[]> {
  const manifest = await db
    .selectFrom("image_manifest")
    .select("id")
    .where("repository_id", "=", repository.id)
    .where("digest", "=", digest)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (manifest === undefined) throw unknownManifest(digest);
  const tags = await listAliveTagsOf(db, { repositoryId: repository.id, manifestId: manifest.id, now });
  const isNeeded = await isPartOfIndex(db, manifest.id);
  if (isNeeded && tags.length === 0) {
    throw new DistributionError("UNSUPPORTED", "an image index of the repository needs the manifest");
  }
  if (!isNeeded)
    await db.updateTable("image_manifest").set({ deleted_at: now }).where("id", "=", manifest.id).execute();
  return tags.map(({ name }) => name);
}

async function isPartOfIndex(db: RegistryDb, manifestId: string): Promise<boolean> {
  const index = await db
    .selectFrom("manifest_child")
    .innerJoin("image_manifest", "image_manifest.id", "manifest_child.manifest_id")
    .select("image_manifest.id")
    .where("manifest_child.child_id", "=", manifestId)
    .where("image_manifest.deleted_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return index !== undefined;
}

function manifestHeaders({ media_type, size_bytes, digest }: ImageManifestRow) {
  return {
    "content-type": media_type,
    "content-length": size_bytes,
    "docker-content-digest": digest,
    etag: `"${digest}"`,
  };
}

function unknownManifest(reference: string): DistributionError {
  return new DistributionError("MANIFEST_UNKNOWN", "manifest unknown to registry", { detail: { reference } });
}
