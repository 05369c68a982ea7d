import type { ServerResponse } from "node:http";
import { isConditional, sendBody, sendBytes } from "@plimsoll/http";
import type { ImageRepository } from "@plimsoll/registry/access/queries";
import { type ImageManifestRow, longContent, shortContent } from "@plimsoll/registry/content/queries/manifest-content";
import { repositoryActions } from "@plimsoll/registry/distribution/repository-actions";
import { deleteReferenced } from "@plimsoll/registry/push/delete-manifest";
import { isPulledThrough, type ServedManifest } from "@plimsoll/registry/push/pull-through";
import { hasDamagedBlob } from "@plimsoll/registry/push/queries/manifests";
import { findReferenced, parseReference, type Reference } from "@plimsoll/registry/push/reference";
import { decideArriving, isGated, type PullDecision } from "@plimsoll/registry/security/pull-gate/decide-pull";
import { noteOf } from "@plimsoll/registry/security/pull-gate/describe-opinion";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import { ifWritable } from "@plimsoll/store";
import { answerUnchanged, checkConditions } from "./conditions.ts";
import { type Distribution, type Endpoint, type Exchange, type OfReference, sendEmpty } from "./distribution.ts";
import { DistributionError } from "./distribution-error.ts";
import { logUse } from "./log-usage.ts";
import { refusePull } from "./refuse-pull.ts";

/**
 * `HEAD /v2/<name>/manifests/<reference>`. Clients ask before they push, and send no blobs of an image that is there: they are told that there is
 * none if content of the image is damaged. Those that may only pull may have the damaged blobs already.
 */
export const headManifest: Endpoint<OfReference> = async (distribution, exchange, repository) => {
  const manifest = await findPulled(distribution, exchange, repository);
  await checkPull(distribution, exchange, { repository, manifest });
  const isAsked = exchange.caller.principal.kind !== "anonymous" && "id" in manifest; // nobody pushes without a name, or to a cache
  const isDamaged = isAsked && (await hasDamagedBlob(distribution.registry.store.db, manifest.id));
  if (isDamaged && (await mayPush(distribution, exchange, repository))) throw unknownManifest(manifest.digest);
  if (answerUnchanged(exchange, manifest.digest, validatorsOf(manifest))) return;
  exchange.response.writeHead(200, manifestHeaders(manifest)).end();
};

/** Whether the client may push, whatever its token is for: some ask with a token to pull. */
async function mayPush(
  { registry: { store, settings } }: Distribution,
  { caller }: Exchange,
  { namespace, name }: ImageRepository,
): Promise<boolean> {
  const { actions } = await repositoryActions({ db: store.db, settings }, caller.principal, `${namespace}/${name}`);
  return actions.has("push");
}

/** `GET /v2/<name>/manifests/<reference>`: exactly the bytes that were pushed. */
export const getManifest: Endpoint<OfReference> = async (distribution, exchange, repository) => {
  const { response, params } = exchange;
  const manifest = await findPulled(distribution, exchange, repository);
  const note = await checkPull(distribution, exchange, { repository, manifest });
  if (answerUnchanged(exchange, manifest.digest, validatorsOf(manifest))) return;
  const reference = params.reference;
  const use = { kind: "pull_repo", repository, reference, mediaType: manifest.media_type, note } as const;
  await ifWritable(() => logUse(distribution.registry.store.relaxed, exchange, use));
  await sendManifest(distribution.registry.store.db, response, manifest);
};

/** Sends a manifest. A long one is read as its client reads, so that it is never in memory as a whole. */
async function sendManifest(db: RegistryDb, response: ServerResponse, manifest: ServedManifest): Promise<void> {
  const head = () => response.writeHead(200, manifestHeaders(manifest));
  const content = "id" in manifest ? shortContent(manifest.content) : manifest.content;
  if (content !== undefined) return void (await sendBytes(response, Buffer.from(content), { head }));
  const { id, size_bytes: lengthBytes, digest } = manifest as ImageManifestRow; // arriving ones have their content
  const pieces = longContent(db, { id, lengthBytes, gone: () => unknownManifest(digest) });
  await sendBody(response, pieces, { head, lengthBytes });
}

/** `DELETE /v2/<name>/manifests/<reference>`: ends a tag. By digest, deletes the manifest and ends every tag of it. */
export const deleteManifest: Endpoint<OfReference> = async (distribution, exchange, repository) => {
  const reference = wantedReference(exchange);
  const { headers } = exchange.request;
  await deleteReferenced(distribution.registry, {
    repository,
    reference,
    now: exchange.now,
    check: isConditional(headers) ? (digest) => checkConditions(headers, digest) : undefined,
    log: (db, tag) => logUse(db, exchange, { kind: "delete_tag", repository, reference: tag }),
  });
  sendEmpty(exchange.response, 202, {});
};

/** The manifest for a pull; in a cache, the one of the other registry. @throws DistributionError */
async function findPulled(
  distribution: Distribution,
  exchange: Exchange<OfReference>,
  repository: ImageRepository,
): Promise<ServedManifest> {
  const { pullThrough } = distribution;
  if (pullThrough === undefined || !isPulledThrough(repository)) {
    return getManifestOf(distribution, exchange, repository);
  }
  const pulled = { repository, reference: wantedReference(exchange), now: exchange.now };
  const manifest = await pullThrough.findManifest(pulled);
  if (manifest === undefined) throw unknownManifest(exchange.params.reference);
  return manifest;
}

/** The manifest that a request names. @throws DistributionError `MANIFEST_UNKNOWN` */
export async function getManifestOf(
  distribution: Distribution,
  exchange: Exchange<OfReference>,
  repository: ImageRepository,
): Promise<ImageManifestRow> {
  const at = { repositoryId: repository.id, reference: wantedReference(exchange), now: exchange.now };
  const manifest = await findReferenced(distribution.registry.store.db, at);
  if (manifest === undefined) throw unknownManifest(exchange.params.reference);
  return manifest;
}

/** @throws DistributionError `DIGEST_INVALID`, `MANIFEST_UNKNOWN` */
function wantedReference({ params: { reference } }: Exchange<OfReference>): Reference {
  const parsed = parseReference(reference);
  if (parsed === undefined) throw unknownManifest(reference);
  return parsed;
}

function manifestHeaders({ media_type, size_bytes, digest }: ServedManifest) {
  return {
    "content-type": media_type,
    "content-length": size_bytes,
    "docker-content-digest": digest,
    etag: `"${digest}"`,
  };
}

/** The headers of a 304 response: RFC 9110 §15.4.5. */
function validatorsOf({ digest }: ServedManifest) {
  return { etag: `"${digest}"`, "docker-content-digest": digest };
}

function unknownManifest(reference: string): DistributionError {
  return new DistributionError("MANIFEST_UNKNOWN", "manifest unknown to registry", { detail: { reference } });
}

/**
 * Checks whether a manifest may be pulled now. All pulls are decided here: GET and HEAD, by tag and by digest, for every caller.
 * The usage log records a refusal. `check-blob-pull.ts` refuses the blobs of refused images.
 * @returns metadata for the usage log: about a gate in dry-run mode that would have refused the pull, or about the documents that have let
 * findings pass
 * @throws DistributionError `DENIED`
 */
async function checkPull(
  distribution: Distribution,
  exchange: Exchange<OfReference>,
  { repository, manifest }: Pulled,
): Promise<Readonly<Record<string, unknown>>> {
  if (!isGated(repository)) return {};
  const { opinions } = await decide(distribution, { repository, manifest }, exchange.now);
  const denying = opinions.filter(({ denies }) => denies);
  const refusal = denying.find(({ isEnforced }) => isEnforced);
  const { digest, media_type: mediaType } = manifest;
  const { reference } = exchange.params;
  if (refusal !== undefined) {
    await refusePull(distribution, exchange, { repository, digest, reference, mediaType, refusal });
  }
  const [watching] = denying;
  if (watching !== undefined) return { pull_gate: { ...noteOf(watching), mode: "dry_run" } };
  const stated = opinions.find(({ statements }) => statements.length > 0);
  return stated === undefined ? {} : { pull_gate: noteOf(stated) };
}

interface Pulled {
  readonly repository: ImageRepository;
  readonly manifest: ServedManifest;
}

async function decide(
  { registry, decisions }: Distribution,
  { repository, manifest }: Pulled,
  now: number,
): Promise<PullDecision> {
  if (!("id" in manifest)) return decideArriving(repository, manifest.digest, now);
  return decisions.decide({ ...registry, db: registry.store.db, now }, repository, manifest);
}
