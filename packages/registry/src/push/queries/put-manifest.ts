import { type NewJob, newJobs, together } from "@plimsoll/store";
import { graceMs } from "../../content/lifetimes.ts";
import { labelBytes, ownLabels } from "../../content/manifest-labels.ts";
import { countingManifests } from "../../content/queries/blobs.ts";
import { contentColumn, newPieces } from "../../content/queries/manifest-content.ts";
import type { TagRow } from "../../content/queries/tags.ts";
import { countedBytes, resizingMetadata, usageOf } from "../../organizations/quotas/queries/usage.ts";
import type { Clock } from "../../ports.ts";
import { kindByTypes } from "../../security/manifest-kind.ts";
import type { NewScan } from "../../security/scan-queue.ts";
import { inChunks } from "../../store/bounded-reads.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { newLogEntries } from "../../store/usage-log.ts";
import type { PushedManifest } from "../pushed-manifest.ts";
import type { FoundParts } from "./pushed-parts.ts";

/** The rows of a push that are known before it is written. */
export interface Written {
  readonly id: string;
  readonly found: FoundParts;
  /** The lifetimes that it ended. */
  readonly ended: readonly TagRow[];
}

/** Until when a manifest without references is kept: 0 if it has a tag, otherwise the grace period for a later reference. */
export function keptUntil({ tags, now }: PushedManifest): number {
  return tags.length === 0 ? now + graceMs.manifests : 0;
}

/** The statements that insert a new manifest: `first` in one round trip, then `more` if there are many parts. */
function partsOf(db: RegistryDb, pushed: PushedManifest, { id, found }: Pick<Written, "id" | "found">) {
  const { repository, labels, now } = pushed;
  const [blobs, ...moreBlobs] = inChunks([...found.blobs.keys()]);
  const [children, ...moreChildren] = inChunks([...found.children.values()]);
  const [own, ...moreLabels] = inChunks(ownLabels({ manifestId: id, labels, now }));
  const link = (digests: readonly string[]) =>
    db.insertInto("manifest_blob").values(digests.map((digest) => ({ manifest_id: id, digest })));
  const count = (digests: readonly string[]) => countingManifests(db, repository.id, { digests, step: 1 });
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
      ...newPieces(db, id, pushed.content),
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
    content: contentColumn(content),
    size_bytes: Buffer.byteLength(content),
    metadata_bytes: metadataBytesOf(pushed),
    layers_size_bytes: manifest.isIndex ? null : manifest.layers.reduce((sum, { size }) => sum + size, 0),
    is_index: manifest.isIndex ? (1 as const) : (0 as const),
    kind: kindOf(manifest),
    created_at: now,
    kept_until: keptUntil(pushed),
    deleted_at: null,
  };
}

function kindOf({ isIndex, mediaType, config, layers, foreignLayers }: PushedManifest["manifest"]) {
  if (isIndex) return null;
  const layerTypes = [...layers, ...foreignLayers].map((each) => each.mediaType);
  return kindByTypes({ mediaType, configType: config?.mediaType ?? "", layerTypes }) ?? null;
}

/** Sets how long a manifest without references is kept. */
export async function keepUntil(db: RegistryDb, id: string, keptUntil: number): Promise<void> {
  await db.updateTable("image_manifest").set({ kept_until: keptUntil }).where("id", "=", id).execute();
}

/** The bytes of a manifest that count for its namespace. */
export function metadataBytesOf({ content, labels }: Pick<PushedManifest, "content" | "labels">): number {
  return Object.entries(labels).reduce((sum, label) => sum + labelBytes(...label), Buffer.byteLength(content));
}

/** Writes the rows of a push, most of them in one round trip. @returns the counted bytes of the namespace if the manifest is new */
export async function writePushed(
  db: RegistryDb,
  pushed: PushedManifest,
  rows: PushedRows,
): Promise<number | undefined> {
  const { first, more } = rows.isNew ? partsOf(db, pushed, rows) : { first: {}, more: [] };
  const added = { namespaceId: pushed.repository.namespace_id, byBytes: metadataBytesOf(pushed) };
  const { usage } = await together(db, {
    ...first,
    usage: rows.isNew ? resizingMetadata(db, added) : undefined,
    scans: rows.isNew && rows.scan ? db.insertInto("manifest_scan").values(rows.scan.row) : undefined,
    tags: rows.lifetimes.length > 0 ? db.insertInto("tag").values(rows.lifetimes) : undefined,
    jobs: newJobs(db, rows.jobs, rows.clock),
    log: newLogEntries(db, pushed.logged),
  });
  for (const statement of more) await statement.execute();
  return usage.length === 0 ? undefined : countedBytes(usageOf(usage));
}

/** The rows that a push writes. */
export interface PushedRows extends Pick<Written, "id" | "found"> {
  /** Whether the manifest is new in the repository. */
  readonly isNew: boolean;
  readonly scan: NewScan | undefined;
  readonly lifetimes: readonly TagRow[];
  readonly jobs: readonly NewJob[];
  readonly clock: Clock;
}
