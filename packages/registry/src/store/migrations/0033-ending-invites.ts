import { schemaMigration } from "./schema-migration.ts";

/** Adds an index of invites by age, since old ones are deleted. */
export const endingInvitesMigration = schemaMigration("0033-ending-invites", [
  "create index team_invite_created on team_invite (created_at)",
]);
