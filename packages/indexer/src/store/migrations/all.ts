import type { MigrationSet } from "@plimsoll/store";
import { layerMigration } from "./0001-layer.ts";

/** The schema of the indexer. */
export const indexerMigrations: MigrationSet = { service: "indexer", migrations: [layerMigration] };
