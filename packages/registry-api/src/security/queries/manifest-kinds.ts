import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import type { ManifestKind } from "@plimsoll/registry/store/tables/content";

/** Stores the kind of a manifest that was found later than its push. */
export async function storeKind(db: RegistryDb, id: string, kind: ManifestKind): Promise<void> {
  await db.updateTable("image_manifest").set({ kind }).where("id", "=", id).execute();
}
