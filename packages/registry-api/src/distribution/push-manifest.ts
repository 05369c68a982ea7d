import { createHash } from "node:crypto";
import { type Digest, digestAlgorithm, parseDigest } from "@plimsoll/core/digest";
import { withoutUndefined } from "@plimsoll/core/internal";
import { isConditional } from "@plimsoll/http";
import { attacherOf } from "@plimsoll/registry/content/attachers";
import { beginPush, type PushSubject } from "@plimsoll/registry/distribution/begin-push";
import { createFairTurns } from "@plimsoll/registry/limits/fair-turns";
import { parseManifest, readImageFacts } from "@plimsoll/registry/push/parse-manifest";
import type { PushedManifest } from "@plimsoll/registry/push/pushed-manifest";
import { putManifest } from "@plimsoll/registry/push/put-manifest";
import { warningOfRefusal } from "@plimsoll/registry/push/quota-gate";
import { parseReference, type Reference } from "@plimsoll/registry/push/reference";
import { isTagName } from "@plimsoll/registry/values/names";
import { cooperativeYield } from "@plimsoll/store";
import { type Static, Type } from "typebox";
import { checkConditions } from "./conditions.ts";
import {
  type Distribution,
  type Endpoint,
  type Exchange,
  type OfReference,
  pusherOf,
  sendEmpty,
} from "./distribution.ts";
import { DistributionError } from "./distribution-error.ts";
import { logEntryOf } from "./log-usage.ts";
import { readBody } from "./receive-chunk.ts";

/** The tags that a push by digest sets: as many and as long as an address can have. */
export const TagsQuery = Type.Object({
  tag: Type.Optional(Type.Array(Type.String({ maxLength: 16_384 }), { maxItems: 16_384 })),
});
type TagsQuery = Static<typeof TagsQuery>;

/** `PUT /v2/<name>/manifests/<reference>`; by a digest with `?tag=` also under these tags. */
export const putManifestContent: Endpoint<OfReference, PushSubject, TagsQuery> = async (
  distribution,
  exchange,
  subject,
) => {
  const { registry } = distribution;
  const { params, query, response } = exchange;
  const reference = parseReference(params.reference) ?? refuseTag();
  const tags = reference.kind === "tag" ? [reference.name] : requestedTags(query);
  if (reference.kind === "tag" && query.tag !== undefined) throw tagsBesideTag();
  const push = await beginPush(registry, subject, pusherOf(exchange));
  const bytes = await readBody(exchange, registry.settings.maxManifestBytes);
  const { id, digest, manifest } = await inTurn(exchange, bytes, async () => {
    const pushed = await readPushed(distribution, exchange, { ...push, reference, tags, bytes });
    const id = await warningOfRefusal(registry, push.repository.namespace_id, () =>
      registry.store.transaction((db) => putManifest({ ...registry, db }, pushed)),
    );
    return { ...pushed, id };
  });
  await distribution.scanPushed?.(id);
  const headers = {
    location: `/v2/${params.name}/manifests/${digest}`,
    "docker-content-digest": digest,
    "oci-subject": manifest.subject,
    "oci-tag": reference.kind === "digest" && tags.length > 0 ? tags : undefined,
  };
  sendEmpty(response, 201, withoutUndefined(headers));
};

/** Longer manifests take milliseconds of the thread for each of several steps. */
const shortManifestBytes = 64 * 1024;

/** How long a client waits until its long manifest is read. */
const patienceMs = 60_000;

/**
 * The turns of the long manifests of this thread: one is read and stored at a time, so that others wait for the steps of one. The state is that of
 * the module, since a thread has one event loop.
 */
const takeTurn = createFairTurns({ atOnce: 1, waiting: 64, deadline: () => AbortSignal.timeout(patienceMs) });

function inTurn<T>({ ip }: Exchange, { length }: Uint8Array, work: () => Promise<T>): Promise<T> {
  return length > shortManifestBytes ? takeTurn({ address: ip, account: "" }, work) : work();
}

/** The most tags in one push, many more than a release has. */
const maxTags = 100;

/** The distinct `tag` parameters of a push by digest. @throws DistributionError `TAG_INVALID`, `TOO_MANY_TAGS_REQUESTED` */
function requestedTags({ tag = [] }: TagsQuery): readonly string[] {
  const tags = [...new Set(tag)];
  if (tags.length > maxTags) {
    throw new DistributionError("TOO_MANY_TAGS_REQUESTED", `expected at most ${maxTags} tags, found ${tags.length}`);
  }
  return tags.every(isTagName) ? tags : refuseTag();
}

function tagsBesideTag(): DistributionError {
  const message = "the parameter tag belongs to a push by digest: PUT /v2/<name>/manifests/<digest>?tag=<tag>";
  return new DistributionError("INVALID_REQUEST", message);
}

async function readPushed(
  { registry, blobs }: Distribution,
  exchange: Exchange,
  push: Pick<PushedManifest, "repository" | "limits" | "tags"> & {
    readonly reference: Reference;
    readonly bytes: Uint8Array;
  },
): Promise<PushedManifest> {
  const { repository, limits, reference, tags, bytes } = push;
  const { settings } = registry;
  const { request, now } = exchange;
  const giveWay = cooperativeYield(); // others may push, pull and list at the same time
  const content = decodeUtf8(bytes);
  await giveWay();
  const manifest = parseManifest(content, request.headers["content-type"], settings.maxManifestLayers);
  await giveWay();
  const digest = digestFor(bytes, reference);
  await giveWay();
  const facts = await readImageFacts(blobs, manifest);
  const check = (current: string | undefined) => checkConditions(request.headers, current);
  const expects = isConditional(request.headers) ? { expects: { reference, check } } : {};
  const { mediaType } = manifest;
  return {
    ...{ repository, manifest, content, digest, ...facts, limits, now, tags, ...expects },
    attacher: attacherOf(exchange.caller.principal),
    // A manifest that is pushed by digest alone is part of an image whose push is logged.
    logged: tags.map((tag) => logEntryOf(exchange, { kind: "push_repo", repository, reference: tag, mediaType })),
    tagLimit: { most: settings.keptLimits.tags, room: registry.tagRoom },
    emitsEvents: settings.features.repositoryNotifications,
    mayBePruned: settings.features.autoPrune,
    isSparse: settings.sparseIndexes,
    headStartMs: settings.features.securityScanner ? 1000 * settings.scanPatienceSeconds : undefined,
  };
}

function refuseTag(): never {
  const message = "a tag has 1 to 128 letters, digits, _ . and -, and does not begin with . or -";
  throw new DistributionError("TAG_INVALID", message);
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new DistributionError("MANIFEST_INVALID", "the manifest is not UTF-8", { cause });
  }
}

/** The digest of a manifest; it must equal the digest in the path, if that has one. @throws DistributionError `DIGEST_INVALID` */
function digestFor(bytes: Uint8Array, reference: Reference): Digest {
  const algorithm = reference.kind === "digest" ? digestAlgorithm(reference.digest) : "sha256";
  const digest = parseDigest(`${algorithm}:${createHash(algorithm).update(bytes).digest("hex")}`);
  if (reference.kind === "tag" || reference.digest === digest) return digest;
  throw new DistributionError("DIGEST_INVALID", `the manifest was announced as ${reference.digest} but is ${digest}`);
}
