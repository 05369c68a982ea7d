import { schemaMigration } from "./schema-migration.ts";

/** Adds immutable tags. The database itself refuses to end one of them. */
export const immutableTagsMigration = schemaMigration("0027-immutable-tags", [
  "alter table tag add column immutable_by TEXT check (immutable_by is null or end_at is null)",
  "alter table image_repository add column immutability_policies TEXT not null default '[]'",
]);
