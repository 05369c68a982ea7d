import { schemaMigration } from "./schema-migration.ts";

/** Tags that stay where they point: the database itself refuses that one of them ends. */
export const immutableTagsMigration = schemaMigration("0027-immutable-tags", [
  "alter table tag add column immutable_by TEXT check (immutable_by is null or end_at is null)",
  "alter table image_repository add column immutability_policies TEXT not null default '[]'",
]);
