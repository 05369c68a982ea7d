import { randomUUID } from "node:crypto";
import { noteAttached } from "../content/attached-changes.ts";
import { recordPushed } from "../content/attachers.ts";
import { policiesOf, protectedBy, refuseIfImmutable, stepsOf } from "../content/immutability.ts";
import { clampTagEnd, expirationLabel } from "../content/lifetimes.ts";
import { lockRepository } from "../content/queries/blobs.ts";
import { reviveManifest, type TagRow } from "../content/queries/tags.ts";
import { endLifetimes, expireReferrerTagsOf, newLifetime } from "../content/tags.ts";
import { ContentError } from "../content-error.ts";
import { type EventDeps, eventJobs } from "../events/emit-event.ts";
import { pruneSoon } from "../lifecycle/pruning/jobs.ts";
import { KeptLimitReached } from "../limits/kept-limits.ts";
import { warnOfUsage } from "../organizations/quotas/quota-notices.ts";
import { checkQuota } from "../organizations/quotas/usage-limits.ts";
import { newScan, putScan } from "../security/scan-queue.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { parseTimeDelta } from "../values/dates.ts";
import { type Matcher, stepsAtOnce } from "../values/patterns.ts";
import type { Descriptor } from "./parse-manifest.ts";
import type { PushedManifest } from "./pushed-manifest.ts";
import { adoptChild, insertSparse, keepUntil, keptUntil, type Written, writePushed } from "./queries/manifests.ts";
import { type FoundParts, findParts, type KnownManifest, neededBlobs } from "./queries/parts.ts";
import { findReferenced } from "./reference.ts";

/**
 * Stores a manifest, points the tags at it, queues the scan of its image, and emits the event of the push. The repository must have its
 * parts. Must run in a transaction.
 * @returns the id of the manifest
 * @throws ContentError `part_unknown`, `manifest_invalid`, `repository_unknown`, `PRECONDITION_FAILED`; QuotaExceeded;
 *   RegistryError `tag_immutable`
 */
export async function putManifest(deps: EventDeps, pushed: PushedManifest): Promise<string> {
  const { db } = deps;
  const { repository, tags, now, expects } = pushed;
  const locked = await lockRepository(db, repository.id);
  if (locked.state === "deleted") throw new ContentError("repository_unknown", "repository name not known to registry");
  if (expects !== undefined) {
    const at = { repositoryId: repository.id, reference: expects.reference, now };
    expects.check((await findReferenced(db, at))?.digest);
  }
  const found = await findParts(db, pushed);
  const { known, alive } = found;
  if (known === undefined) {
    checkParts(pushed, found);
    checkQuota(pushed.limits, { sizeBytes: found.usedBytes, addedBytes: 0 });
  } else {
    checkBlobs(pushed, found);
    await keepManifest(db, known, pushed);
  }
  const id = known?.id ?? randomUUID();
  const moved = tags.filter((name) => !keepsTag(alive, name, id));
  checkTags(pushed, found.tagRows, moved.length);
  const ended: TagRow[] = [];
  for (const name of moved) {
    const previous = alive.filter((tag) => tag.name === name);
    refuseIfImmutable(previous, "overwrite");
    const latest = await endLifetimes(db, previous, now);
    if (latest !== undefined) ended.push(latest);
  }
  const policies = policiesOf(locked);
  if (stepsOf(policies, moved) > stepsAtOnce) throw tooManyToMatch(moved);
  const isProtected = protectedBy(policies);
  const lifetimes = lifetimesOf(pushed, { id, found, ended, moved, isProtected });
  const usedBytes = await write(deps, pushed, { id, found, ended, lifetimes });
  if (usedBytes !== undefined) await countPushed(db, pushed, usedBytes);
  for (const tag of ended) await expireReferrerTagsOf(db, tag, now);
  const { content, manifest, attacher } = pushed;
  await recordPushed(db, { manifestId: id, content, subject: manifest.subject, tags: lifetimes, attacher, now });
  await noteAttached(db, { repositoryId: repository.id, content, subject: manifest.subject, tags, now });
  if (known === undefined && pushed.manifest.children.length > 0 && tags.length > 0) await reviveManifest(db, id);
  if (pushed.isSparse) await linkSparse(db, pushed, id);
  return id;
}

/** Links a manifest to the indexes that lacked it, and stores which manifests an index lacks. */
async function linkSparse(
  db: RegistryDb,
  { repository: { id: repositoryId }, digest, manifest }: PushedManifest,
  id: string,
): Promise<void> {
  await adoptChild(db, { repositoryId, digest }, id);
  const digests = manifest.children.map((child) => child.digest);
  if (digests.length > 0) await insertSparse(db, { repositoryId, indexId: id, digests });
}

/** @param tagRows undefined if there is room @throws KeptLimitReached */
function checkTags({ repository, tagLimit }: PushedManifest, tagRows: number | undefined, added: number): void {
  if (tagLimit === undefined || tagRows === undefined) return;
  const left = tagLimit.most - tagRows - added;
  if (added > 0 && left < 0) throw new KeptLimitReached("tags", tagLimit.most);
  tagLimit.room.counted(repository.id, Math.max(0, left));
}

function tooManyToMatch(tags: readonly string[]): ContentError {
  const message = `matching ${tags.length} tags with the immutability policies of the repository takes too long: push fewer tags at once, or use simpler policies`;
  return new ContentError("too_many_tags", message);
}

/** Whether an immutable tag already points at the pushed manifest. Then the push succeeds, and the tag stays as it is. */
function keepsTag(alive: readonly TagRow[], name: string, id: string): boolean {
  return alive.some((tag) => tag.name === name && tag.manifest_id === id && tag.immutable_by !== null);
}

/** The rows of a push, and the tags that it moves. */
interface Moved extends Written {
  readonly moved: readonly string[];
  readonly isProtected: Matcher;
}

/** The rows of a push, with the new lifetimes of its tags. */
interface Rows extends Written {
  readonly lifetimes: readonly TagRow[];
}

/** Refuses a manifest whose own bytes exceed the quota: then the transaction leaves nothing. @param usedBytes including the manifest */
async function countPushed(
  db: RegistryDb,
  { repository, content, limits, now }: PushedManifest,
  usedBytes: number,
): Promise<void> {
  checkQuota(limits, { sizeBytes: usedBytes, addedBytes: Math.min(usedBytes, Buffer.byteLength(content)) });
  await warnOfUsage(db, limits, { namespaceId: repository.namespace_id, sizeBytes: usedBytes, now });
}

async function write(deps: EventDeps, pushed: PushedManifest, rows: Rows): Promise<number | undefined> {
  const { db, clock } = deps;
  const { id, found, lifetimes } = rows;
  const { repository, tags, digest, headStartMs } = pushed;
  const scan = newScan(
    { id, namespaceId: repository.namespace_id, ...scannedPart(pushed) },
    { clock: clock, headStartMs: headStartMs ?? 0 },
  );
  const isScanNew = scan !== undefined && (found.known === undefined || (await putScan(db, scan)));
  const event = { receivers: found.receivers, members: { updated_tags: [...tags], manifest_digest: digest } };
  const jobs = [
    ...(isScanNew && headStartMs !== undefined ? [scan.job] : []),
    ...eventJobs(deps, repository, event),
    ...(found.hasPolicies ? [pruneSoon(repository, clock)] : []),
  ];
  return writePushed(db, pushed, {
    id,
    found,
    isNew: found.known === undefined,
    scan,
    lifetimes,
    jobs,
    clock: clock,
  });
}

/** The new lifetimes of the moved tags. An immutable tag has no end, even if its image has a label with one. */
function lifetimesOf(pushed: PushedManifest, { id, found, ended, moved, isProtected }: Moved): readonly TagRow[] {
  const { repository, now } = pushed;
  const endAt = endOf(pushed, found);
  return moved.map((name) => {
    const target = { repositoryId: repository.id, manifestId: id, now, name };
    const previous = ended.find((tag) => tag.name === name);
    return newLifetime(isProtected(name) ? target : { ...target, endAt }, previous, isProtected);
  });
}

function scannedPart({ manifest, content }: PushedManifest) {
  return { is_index: manifest.isIndex ? 1 : 0, content } as const;
}

/** Keeps or restores a manifest that was pushed before. Writes only changes. */
async function keepManifest(db: RegistryDb, known: KnownManifest, pushed: PushedManifest): Promise<void> {
  const { id } = known;
  const kept_until = keptUntil(pushed);
  if (kept_until !== known.kept_until) {
    await keepUntil(db, id, kept_until);
  }
  if (pushed.manifest.isIndex || known.deleted_at !== null) await reviveManifest(db, id);
}

/**
 * The instant at which the tags of an image end by its label. An index without the label takes the one that all of its images have.
 */
function endOf({ labels, now }: PushedManifest, { children }: FoundParts): number | undefined {
  const own = labels[expirationLabel];
  const values = own === undefined ? [...children.values()].map(({ expiration }) => expiration ?? "") : [own];
  const [value, ...others] = new Set(values);
  if (value === undefined || others.length > 0) return undefined;
  const lifetimeMs = parseTimeDelta(value);
  return lifetimeMs === undefined ? undefined : clampTagEnd(now, now + lifetimeMs);
}

/**
 * Refuses a manifest whose parts the repository does not have, or has with another size.
 * @throws ContentError `part_unknown`, `manifest_invalid`
 */
function checkParts(pushed: PushedManifest, { blobs, children }: FoundParts): void {
  checkBlobs(pushed, { blobs });
  const isThere = ({ digest }: Descriptor) => children.get(digest)?.deleted_at === null;
  const missingChildren = pushed.isSparse ? [] : pushed.manifest.children.filter((child) => !isThere(child));
  if (missingChildren.length > 0) throw unknownParts(missingChildren, "manifest");
}

/** The part of {@link checkParts} that a manifest passes also when it is pushed again: its blobs may be damaged since. */
function checkBlobs(pushed: PushedManifest, { blobs }: Pick<FoundParts, "blobs">): void {
  const needed = neededBlobs(pushed);
  const missing = needed.filter(({ digest }) => !blobs.has(digest));
  if (missing.length > 0) throw unknownParts(missing, "blob");
  const wrong = needed.find(({ digest, size }) => blobs.get(digest) !== size);
  if (wrong !== undefined) {
    const message = `${wrong.digest} has ${blobs.get(wrong.digest)} bytes, not ${wrong.size}`;
    throw new ContentError("manifest_invalid", message);
  }
}

function unknownParts(missing: readonly Descriptor[], what: "blob" | "manifest"): ContentError {
  const detail = missing.slice(0, 100).map(({ digest }) => ({ digest }));
  const message = `the repository does not have ${missing.length} ${what}${missing.length === 1 ? "" : "s"} of the manifest`;
  return new ContentError("part_unknown", message, { detail });
}
