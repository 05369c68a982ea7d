import type { Migration } from "@plimsoll/store";

/** Findings per layer and engine state. */
export const layerMigration: Migration = {
  name: "0001-layer",
  async up(db) {
    await db.schema
      .createTable("indexer_layer")
      .addColumn("layer_digest", "text", (column) => column.notNull())
      .addColumn("engine_state", "text", (column) => column.notNull())
      .addColumn("findings", "text", (column) => column.notNull())
      .addColumn("stored_at", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("indexer_layer_key", ["layer_digest", "engine_state"])
      .execute();
    await db.schema.createIndex("indexer_layer_age").on("indexer_layer").column("stored_at").execute();
  },
};
