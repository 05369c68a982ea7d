import type { RegistryDb } from "../../../store/tables/all.ts";

/** The uploads to which nothing was added after an instant. */
export function listUploadsUntil(db: RegistryDb, until: number) {
  return db
    .selectFrom("upload")
    .select(["id", "repository_id", "received_bytes"])
    .where("updated_at", "<=", until)
    .execute();
}

/** The announced digest of an upload; undefined if there is no such upload. */
export function findUpload(db: RegistryDb, id: string) {
  return db.selectFrom("upload").select("digest").where("id", "=", id).executeTakeFirst();
}

/** Whether an upload is that of a log that is being exported or archived. */
export async function isUploadOfLog(db: RegistryDb, id: string): Promise<boolean> {
  const exported = await db.selectFrom("log_export").select("id").where("id", "=", id).executeTakeFirst();
  if (exported !== undefined) return true;
  const writing = db.selectFrom("log_archive").select("id").where("state", "=", "writing").where("upload_id", "=", id);
  if ((await writing.executeTakeFirst()) !== undefined) return true;
  const ofBuild = db.selectFrom("build_log_archive").select("id").where("id", "=", id).where("state", "=", "writing");
  return (await ofBuild.executeTakeFirst()) !== undefined;
}
