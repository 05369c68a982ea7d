import type { MigrationSet } from "@plimsoll/store";
import { layerMigration } from "./0001-layer.ts";
import { manifestsMigration } from "./0002-manifests.ts";
import { keysStateMigration } from "./0003-keys-state.ts";
import { piecesMigration } from "./0004-pieces.ts";
import { leftoversMigration } from "./0005-leftovers.ts";
import { ecosystemsMigration } from "./0006-ecosystems.ts";
import { scannedMigration } from "./0007-scanned.ts";

/** The schema of the indexer. */
export const indexerMigrations: MigrationSet = {
  service: "indexer",
  migrations: [
    layerMigration,
    manifestsMigration,
    keysStateMigration,
    piecesMigration,
    leftoversMigration,
    ecosystemsMigration,
    scannedMigration,
  ],
};
