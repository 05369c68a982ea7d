import { randomUUID } from "node:crypto";
import { newJobs, together } from "@plimsoll/store";
import { clampTagEnd, expirationLabel, graceMs } from "../content/lifetimes.ts";
import { ownLabels } from "../content/manifest-labels.ts";
import { countingManifests } from "../content/queries/blobs.ts";
import { lockRepository } from "../content/queries/lock-repository.ts";
import { endLifetimes, endSiblings, newLifetime, reviveManifest, type TagRow } from "../content/tags.ts";
import { type EventContext, eventJobs } from "../events/repository-notifications.ts";
import { newLogEntries } from "../logs/queries/new-entries.ts";
import { checkQuota } from "../quotas/usage-limits.ts";
import { enterScan, newScan } from "../security/scan-queue.ts";
import { inChunks } from "../store/bounded-reads.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { parseTimeDelta } from "../values/time-delta.ts";
import { DistributionError } from "./distribution-error.ts";
import type { PushedManifest } from "./pushed-manifest.ts";
import { checkParts, type FoundParts, findParts, type KnownManifest } from "./pushed-parts.ts";
import { findReferenced } from "./reference.ts";

/**
 * Stores a manifest all of whose parts the repository has, points the tags at it, remembers that its image is to be read, and tells
 * of the push. Belongs into a transaction.
 * @returns its id
 * @throws DistributionError `MANIFEST_BLOB_UNKNOWN`, `MANIFEST_INVALID`, `NAME_UNKNOWN`, `PRECONDITION_FAILED`; QuotaExceeded
 */
export async function putManifest(context: EventContext, pushed: PushedManifest): Promise<string> {
  const { db } = context;
  const { repository, tags, now, expects } = pushed;
  const { state } = await lockRepository(db, repository.id);
  if (state === "deleted") throw new DistributionError("NAME_UNKNOWN", "repository name not known to registry");
  if (expects !== undefined) {
    const at = { repositoryId: repository.id, reference: expects.reference, now };
    expects.check((await findReferenced(db, at))?.digest);
  }
  const found = await findParts(db, pushed);
  const { known, alive } = found;
  if (known === undefined) {
    checkParts(pushed, found);
    checkQuota(pushed.limits, found.usedBytes);
  } else await keepManifest(db, known, pushed);
  const ended: TagRow[] = [];
  for (const name of tags) {
    const latest = await endLifetimes(
      db,
      alive.filter((tag) => tag.name === name),
      now,
    );
    if (latest !== undefined) ended.push(latest);
  }
  const id = known?.id ?? randomUUID();
  await write(context, pushed, { id, found, ended });
  for (const tag of ended) await endSiblings(db, tag, now);
  if (known === undefined && pushed.manifest.children.length > 0 && tags.length > 0) await reviveManifest(db, id);
  return id;
}

/** What is written of a push. */
interface Written {
  readonly id: string;
  readonly found: FoundParts;
  /** The lifetimes that ended for it. */
  readonly ended: readonly TagRow[];
}

async function write(context: EventContext, pushed: PushedManifest, { id, found, ended }: Written): Promise<void> {
  const { db, ports } = context;
  const { repository, tags, digest, logged, headStartMs } = pushed;
  const target = { repositoryId: repository.id, manifestId: id, now: pushed.now, endAt: endOf(pushed, found) };
  const lifetimes = tags.map((name) =>
    newLifetime(
      { ...target, name },
      ended.find((tag) => tag.name === name),
    ),
  );
  const scan = newScan({ id, ...scannedPart(pushed) }, { clock: ports.clock, headStartMs: headStartMs ?? 0 });
  const isScanNew = scan !== undefined && (found.known === undefined || (await enterScan(db, scan)));
  const told = { receivers: found.receivers, members: { updated_tags: [...tags], manifest_digest: digest } };
  const jobs = [...(isScanNew && headStartMs !== undefined ? [scan.job] : []), ...eventJobs(context, repository, told)];
  const isNew = found.known === undefined;
  const { first, more } = isNew ? partsOf(db, pushed, { id, found }) : { first: {}, more: [] };
  await together(db, {
    ...first,
    scans: isNew && scan ? db.insertInto("manifest_scan").values(scan.row) : undefined,
    tags: lifetimes.length > 0 ? db.insertInto("tag").values(lifetimes) : undefined,
    jobs: newJobs(db, jobs, ports.clock),
    log: newLogEntries(db, logged),
  });
  for (const statement of more) await statement.execute();
}

function scannedPart({ manifest, content }: PushedManifest) {
  return { is_index: manifest.isIndex ? 1 : 0, content } as const;
}

/** What has a tag is kept for its tag; what has none, for whatever is going to refer to it. */
function keptUntil({ tags, now }: PushedManifest): number {
  return tags.length === 0 ? now + graceMs.manifests : 0;
}

/** Nothing is written where nothing changes. */
async function keepManifest(db: RegistryDb, known: KnownManifest, pushed: PushedManifest): Promise<void> {
  const { id } = known;
  const kept_until = keptUntil(pushed);
  if (kept_until !== known.kept_until) {
    await db.updateTable("image_manifest").set({ kept_until }).where("id", "=", id).execute();
  }
  if (pushed.manifest.isIndex || known.deleted_at !== null) await reviveManifest(db, id);
}

/** The rows of a new manifest: `first` at once, `more` after them where there are many. */
function partsOf(db: RegistryDb, pushed: PushedManifest, { id, found }: Pick<Written, "id" | "found">) {
  const { repository, labels, now } = pushed;
  const [blobs, ...moreBlobs] = inChunks([...found.blobs.keys()]);
  const [children, ...moreChildren] = inChunks([...found.children.values()]);
  const [own, ...moreLabels] = inChunks(ownLabels({ manifestId: id, labels, now }));
  const link = (digests: readonly string[]) =>
    db.insertInto("manifest_blob").values(digests.map((digest) => ({ manifest_id: id, digest })));
  const count = (digests: readonly string[]) => countingManifests(db, repository.id, digests, 1);
  const adopt = (rows: readonly { readonly id: string }[]) =>
    db.insertInto("manifest_child").values(rows.map((child) => ({ manifest_id: id, child_id: child.id })));
  const label = (rows: ReturnType<typeof ownLabels>) => db.insertInto("manifest_label").values(rows);
  return {
    first: {
      manifest: db.insertInto("image_manifest").values(rowOf(pushed, id)),
      blobs: blobs && link(blobs),
      counts: blobs && count(blobs),
      children: children && adopt(children),
      labels: own && label(own),
    },
    more: [
      ...moreBlobs.flatMap((some) => [link(some), count(some)]),
      ...moreChildren.map(adopt),
      ...moreLabels.map(label),
    ],
  };
}

function rowOf(pushed: PushedManifest, id: string) {
  const { repository, manifest, content, digest, now } = pushed;
  return {
    id,
    repository_id: repository.id,
    digest,
    media_type: manifest.mediaType,
    artifact_type: manifest.artifactType ?? null,
    config_media_type: manifest.config?.mediaType ?? null,
    subject: manifest.subject ?? null,
    content,
    size_bytes: Buffer.byteLength(content),
    layers_size_bytes: manifest.isIndex ? null : manifest.layers.reduce((sum, { size }) => sum + size, 0),
    is_index: manifest.isIndex ? (1 as const) : (0 as const),
    created_at: now,
    kept_until: keptUntil(pushed),
    deleted_at: null,
  };
}

/** When the tags of an image end by its label; those of an index also by what all of its images say. */
function endOf({ labels, now }: PushedManifest, { children }: FoundParts): number | undefined {
  const own = labels[expirationLabel];
  const values = own === undefined ? [...children.values()].map(({ expiration }) => expiration ?? "") : [own];
  const [value, ...others] = new Set(values);
  if (value === undefined || others.length > 0) return undefined;
  const lifetimeMs = parseTimeDelta(value);
  return lifetimeMs === undefined ? undefined : clampTagEnd(now, now + lifetimeMs);
}
