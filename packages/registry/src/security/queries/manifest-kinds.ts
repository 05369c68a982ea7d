import type { RegistryDb } from "../../store/tables/all.ts";
import type { ManifestKind } from "../../store/tables/content.ts";

/** Stores the kind of a manifest that was found later than its push. */
export async function storeKind(db: RegistryDb, id: string, kind: ManifestKind): Promise<void> {
  await db.updateTable("image_manifest").set({ kind }).where("id", "=", id).execute();
}
