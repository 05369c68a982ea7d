import { schemaMigration } from "./schema-migration.ts";

/** Adds whether a runtime could start a manifest. It is found for older manifests when they, or their blobs, are pulled. */
export const manifestKindsMigration = schemaMigration("0060-manifest-kinds", [
  "alter table image_manifest add column kind TEXT",
]);
