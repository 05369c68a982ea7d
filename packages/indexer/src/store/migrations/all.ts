import { type MigrationSet, schemaMigration } from "@plimsoll/store";
import { indexerSchema } from "./0001-schema.ts";

/** The schema of the indexer. */
export const indexerMigrations: MigrationSet = {
  service: "indexer",
  migrations: [schemaMigration("0001-schema", indexerSchema)],
  replaces: {
    names: [
      "0001-layer",
      "0002-manifests",
      "0003-keys-state",
      "0004-pieces",
      "0005-leftovers",
      "0006-ecosystems",
      "0007-scanned",
    ],
  },
};
