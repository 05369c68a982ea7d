import { compileOnce, type Parameter } from "@plimsoll/store";
import { sql } from "kysely";
import type { RegistryDb } from "../../store/tables/all.ts";
import { countedBytes, usageOf } from "./usage.ts";

/** The bytes of a namespace's uploads in progress: received and reserved ones. */
export interface Uploading {
  /** Those that count for the quota. As many bytes as the namespace has in damaged blobs do not: they may be those that heal them. */
  readonly countedBytes: number;
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
    count(*) as uploads
    from upload left join namespace_blob as held
      on held.namespace_id = upload.namespace_id and held.digest = upload.digest
    where upload.namespace_id = ${namespace}`;
});

function uploadingOf([row]: readonly OccupiedColumns[]): Uploading {
  const [received, repeatedBytes] = [Number(row?.received ?? 0), Number(row?.repeated ?? 0)];
  const countedBytes = Math.max(0, received - repeatedBytes - Number(row?.damaged ?? 0));
  return { countedBytes, repeatedBytes, uploads: Number(row?.uploads ?? 0) };
}

/** The bytes of a namespace's uploads in progress that count for its quota. */
export async function uploadingBytes(db: RegistryDb, namespaceId: string): Promise<number> {
  return (await findUploading(db, namespaceId)).countedBytes;
}

/** The used bytes of a namespace, including uploads in progress. */
export async function occupiedBytes(db: RegistryDb, namespaceId: string): Promise<number> {
  const rows = await selectUploading(db, { namespaceId });
  return countedBytes(usageOf(rows)) + uploadingOf(rows).countedBytes;
}
