import { compileOnce, type Parameter } from "@plimsoll/store";
import { sql } from "kysely";
import type { RegistryDb } from "../../../store/tables/all.ts";
import { countedBytes, usageOf } from "./usage.ts";

/** The bytes of a namespace's uploads in progress: received and reserved ones. */
export interface Uploading {
  /** Those that count for the quota. As many bytes as {@link damagedBytes} do not: they may be those that heal the blobs. */
  readonly countedBytes: number;
  /** Those that repeat no blob, whether they count or not. */
  readonly newBytes: number;
  /** The size of all damaged blobs of the namespace. */
  readonly damagedBytes: number;
  /** The size of the largest of them; 0 if there is none. No larger upload heals a blob. */
  readonly largestDamagedBytes: number;
  /** Those that repeat a blob which the namespace has. They add nothing to it, so they do not count. */
  readonly repeatedBytes: number;
  /** How many uploads are in progress. */
  readonly uploads: number;
}

/** The bytes of a namespace's uploads in progress. An upload with the digest of a held blob repeats as many bytes as the blob has. */
export async function findUploading(db: RegistryDb, namespaceId: string): Promise<Uploading> {
  return uploadingOf(await selectUploading(db, { namespaceId }));
}

interface OccupiedColumns {
  readonly size_bytes: number;
  readonly metadata_bytes: number;
  readonly received: number;
  readonly repeated: number;
  readonly damaged: number;
  readonly largest_damaged: number;
  readonly uploads: number;
}

const selectUploading = compileOnce((_: RegistryDb, parameter: Parameter<{ namespaceId: string }>) => {
  const namespace = parameter("namespaceId");
  return sql<OccupiedColumns>`select
    coalesce((select size_bytes from namespace_usage where namespace_id = ${namespace}), 0) as size_bytes,
    coalesce((select metadata_bytes from namespace_usage where namespace_id = ${namespace}), 0) as metadata_bytes,
    cast(coalesce(sum(received_bytes), 0) as bigint) as received,
    cast(coalesce(sum(case when held.size_bytes < received_bytes then held.size_bytes
      when held.size_bytes is not null then received_bytes else 0 end), 0) as bigint) as repeated,
    cast(coalesce((select sum(lost.size_bytes) from blob join namespace_blob as lost on lost.digest = blob.digest
      where blob.damaged_at is not null and lost.namespace_id = ${namespace}), 0) as bigint) as damaged,
    coalesce((select max(lost.size_bytes) from blob join namespace_blob as lost on lost.digest = blob.digest
      where blob.damaged_at is not null and lost.namespace_id = ${namespace}), 0) as largest_damaged,
    count(*) as uploads
    from upload left join namespace_blob as held
      on held.namespace_id = upload.namespace_id and held.digest = upload.digest
    where upload.namespace_id = ${namespace}`;
});

function uploadingOf([row]: readonly OccupiedColumns[]): Uploading {
  const [repeatedBytes, damagedBytes] = [Number(row?.repeated ?? 0), Number(row?.damaged ?? 0)];
  const newBytes = Number(row?.received ?? 0) - repeatedBytes;
  const countedBytes = Math.max(0, newBytes - damagedBytes);
  const [largestDamagedBytes, uploads] = [Number(row?.largest_damaged ?? 0), Number(row?.uploads ?? 0)];
  return { countedBytes, newBytes, damagedBytes, largestDamagedBytes, repeatedBytes, uploads };
}

/** The bytes of a namespace's uploads in progress that count for its quota. */
export async function uploadingBytes(db: RegistryDb, namespaceId: string): Promise<number> {
  return (await findUploading(db, namespaceId)).countedBytes;
}

/** The bytes of a namespace, and those of its uploads in progress. */
export interface Occupied extends Uploading {
  /** Those of the namespace, without uploads. */
  readonly usedBytes: number;
}

/** As {@link findUploading}, with the used bytes of the namespace. */
export async function findOccupied(db: RegistryDb, namespaceId: string): Promise<Occupied> {
  const rows = await selectUploading(db, { namespaceId });
  return { usedBytes: countedBytes(usageOf(rows)), ...uploadingOf(rows) };
}
