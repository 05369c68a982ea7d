import { randomUUID } from "node:crypto";
import { problemOfJson, usualJsonLimits } from "@plimsoll/core/internal/json-shape";
import type { Insertable } from "kysely";
import { invalidRequest, notInList } from "../errors.ts";
import { resizeMetadata } from "../organizations/quotas/queries/usage.ts";
import { releaseMetadata } from "../organizations/quotas/quota-notices.ts";
import { checkQuota, QuotaExceeded, type UsageLimit } from "../organizations/quotas/usage-limits.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import type { ManifestLabelTable } from "../store/tables/content.ts";
import { parseTimeDelta } from "../values/dates.ts";
import { clampTagEnd, expirationLabel } from "./lifetimes.ts";
import { lockRepository } from "./queries/blobs.ts";
import {
  findLabel,
  type ImageManifestRow,
  insertLabel,
  type LabelRow,
  removeLabel,
  resizeManifest,
} from "./queries/manifest-content.ts";
import { listAliveTagsOf, setTagEnd } from "./queries/tags.ts";

/** A label to add. */
interface NewLabel {
  readonly key: string;
  readonly value: string;
  /** Null: derived from the value. */
  readonly media_type: string | null;
}

/** Prefixes of keys that are reserved for authors of images and for the registry. */
const reservedPrefixes = [
  "com.docker.",
  "io.docker.",
  "org.dockerproject.",
  "org.opencontainers.",
  "io.cncf.",
  "io.kubernetes.",
  "io.k8s.",
  "io.quay",
  "com.coreos",
  "com.tectonic",
  "internal",
  "quay",
] as const;

/**
 * Adds a label; there may be others with its key. The label {@link expirationLabel} also sets the end of the image's tags, counted
 * from the start of each tag; a value that is not a duration changes no tag. Must run in a transaction.
 * @throws RegistryError `invalid_request`, also if the quota has no room for it
 */
export async function addLabel(
  db: RegistryDb,
  manifest: ImageManifestRow,
  { key, value, media_type, now, limits }: NewLabel & { readonly now: number; readonly limits: readonly UsageLimit[] },
): Promise<LabelRow> {
  checkLabelKey(key);
  const row: LabelRow = {
    id: randomUUID(),
    manifest_id: manifest.id,
    key,
    value,
    source_type: "api",
    media_type: media_type ?? labelMediaType(value),
    created_at: now,
  };
  await lockRepository(db, manifest.repository_id);
  await insertLabel(db, row);
  await countLabel(db, manifest, { bytes: labelBytes(key, value), limits });
  const lifetimeMs = key === expirationLabel ? parseTimeDelta(value) : undefined;
  if (lifetimeMs !== undefined) await limitTags(db, manifest, { lifetimeMs, now });
  return row;
}

/** @throws RegistryError `invalid_request` */
function checkLabelKey(key: string): void {
  if (key.length > 255 || !/^[a-z0-9]+(?:[.-][a-z0-9]+)*$/.test(key)) {
    throw invalidRequest("Label key is invalid: expected lower-case letters and digits, joined by single . or -");
  }
  if (key !== expirationLabel && reservedPrefixes.some((prefix) => key.startsWith(prefix))) {
    throw invalidRequest("Label has a reserved prefix");
  }
}

async function limitTags(
  db: RegistryDb,
  manifest: ImageManifestRow,
  { lifetimeMs, now }: { readonly lifetimeMs: number; readonly now: number },
): Promise<void> {
  const tags = await listAliveTagsOf(db, { repositoryId: manifest.repository_id, manifestId: manifest.id, now });
  for (const { id, start_at } of tags) {
    const endAt = clampTagEnd(start_at, start_at + lifetimeMs);
    await setTagEnd(db, { id, now, endAt });
  }
}

/** The label of a manifest with that id. @throws RegistryError `not_found` */
export async function getLabel(db: RegistryDb, manifestId: string, id: string): Promise<LabelRow> {
  const label = await findLabel(db, manifestId, id);
  if (label === undefined) throw notInList("The manifest has no label with that id");
  return label;
}

/** Deletes a label that was added over the API. @throws RegistryError `not_found`; `invalid_request` for other labels */
export async function deleteLabel(db: RegistryDb, manifest: ImageManifestRow, id: string): Promise<LabelRow> {
  await lockRepository(db, manifest.repository_id);
  const label = await getLabel(db, manifest.id, id);
  if (label.source_type !== "api") throw invalidRequest("Only labels that were added over the API can be deleted");
  await removeLabel(db, label.id);
  await countLabel(db, manifest, { bytes: -labelBytes(label.key, label.value), limits: [] });
  return label;
}

/** Counts a label for its manifest and the namespace. @param bytes negative for one that was removed */
async function countLabel(
  db: RegistryDb,
  { id, repository_id }: ImageManifestRow,
  { bytes, limits }: { readonly bytes: number; readonly limits: readonly UsageLimit[] },
): Promise<void> {
  const { namespace_id: namespaceId } = await lockRepository(db, repository_id);
  await resizeManifest(db, id, bytes);
  if (bytes < 0) return releaseMetadata(db, { namespaceId }, -bytes);
  const usedBytes = await resizeMetadata(db, { namespaceId, byBytes: bytes });
  try {
    checkQuota(limits, { sizeBytes: usedBytes, addedBytes: Math.min(bytes, usedBytes) });
  } catch (cause) {
    throw cause instanceof QuotaExceeded ? invalidRequest(cause.message) : cause;
  }
}

/** The default media type of a label's value: JSON for an object or a list, otherwise text, also if it would take long to parse. */
export function labelMediaType(value: string): "application/json" | "text/plain" {
  if (!/^\s*[[{]/.test(value) || problemOfJson(value, usualJsonLimits) !== undefined) return "text/plain";
  try {
    JSON.parse(value);
    return "application/json";
  } catch {
    return "text/plain";
  }
}

/** The bytes of a label that count for a namespace. */
export function labelBytes(key: string, value: string): number {
  return Buffer.byteLength(key) + Buffer.byteLength(value);
}

/** The labels of an image: those of its configuration, overridden by the annotations of its manifest. */
export interface ManifestLabels {
  readonly manifestId: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly now: number;
}

/** The rows of a new manifest's own labels. They cannot be changed. */
export function ownLabels({ manifestId, labels, now }: ManifestLabels): readonly Insertable<ManifestLabelTable>[] {
  return Object.entries(labels).map(([key, value]) => ({
    id: randomUUID(),
    manifest_id: manifestId,
    key,
    value,
    source_type: "manifest",
    media_type: labelMediaType(value),
    created_at: now,
  }));
}
