import { schemaMigration } from "./schema-migration.ts";

/** Adds the lists of referrers that caches have fetched, for while the other registry is unavailable. */
export const proxiedReferrersMigration = schemaMigration("0059-proxied-referrers", [
  `create table proxied_referrers (repository_id TEXT not null references image_repository (id) on delete cascade,
     digest TEXT not null, content TEXT not null, primary key (repository_id, digest))`,
]);
