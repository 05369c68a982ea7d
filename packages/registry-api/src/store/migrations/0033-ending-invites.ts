import { schemaMigration } from "./schema-migration.ts";

/** Invites are found by their age, as they end by it. */
export const endingInvitesMigration = schemaMigration("0033-ending-invites", [
  "create index team_invite_created on team_invite (created_at)",
]);
