import type { BuildSchema } from "@plimsoll/store";
import { sql } from "kysely";

/** Teams, default permissions and OAuth applications of organizations. */
export const organizations: BuildSchema = ({ schema, text, notNull, partOf, primaryKey, unique }) => [
  schema
    .createTable("team")
    .addColumn("id", text, primaryKey)
    .addColumn("organization_id", text, partOf("account.id"))
    .addColumn("name", text, notNull)
    .addColumn("role", text, notNull)
    .addColumn("description", text, notNull)
    .addColumn("created_at", "bigint", notNull)
    .addUniqueConstraint("team_organization_id_name_key", ["organization_id", "name"]),
  schema.createIndex("team_by_name").on("team").columns(["name", "organization_id"]),

  schema
    .createTable("team_member")
    .addColumn("team_id", text, partOf("team.id"))
    .addColumn("account_id", text, partOf("account.id"))
    .addPrimaryKeyConstraint("team_member_pkey", ["team_id", "account_id"]),
  schema.createIndex("team_member_account").on("team_member").columns(["account_id", "team_id"]),

  schema
    .createTable("team_invite")
    .addColumn("id", text, primaryKey)
    .addColumn("team_id", text, partOf("team.id"))
    .addColumn("account_id", text, (column) => column.references("account.id").onDelete("cascade"))
    .addColumn("email", text)
    .addColumn("inviter_id", text, partOf("account.id"))
    .addColumn("created_at", "bigint", notNull),
  schema.createIndex("team_invite_account").on("team_invite").column("account_id"),
  schema.createIndex("team_invite_created").on("team_invite").column("created_at"),
  schema
    .createIndex("team_invite_email")
    .unique()
    .on("team_invite")
    .columns(["team_id", "email"])
    .where(sql<boolean>`email is not null`),
  schema.createIndex("team_invite_inviter").on("team_invite").column("inviter_id"),
  schema.createIndex("team_invite_team").on("team_invite").columns(["team_id", "created_at", "id"]),
  schema
    .createIndex("team_invite_who")
    .unique()
    .on("team_invite")
    .columns(["team_id", "account_id"])
    .where(sql<boolean>`account_id is not null`),

  schema
    .createTable("team_sync")
    .addColumn("team_id", text, (column) => partOf("team.id")(column).primaryKey())
    .addColumn("service", text, notNull)
    .addColumn("config", text, notNull)
    .addColumn("synced_at", "bigint"),

  schema
    .createTable("prototype")
    .addColumn("id", text, primaryKey)
    .addColumn("organization_id", text, partOf("account.id"))
    .addColumn("activating_id", text, (column) => column.references("account.id").onDelete("cascade"))
    .addColumn("delegate_account_id", text, (column) => column.references("account.id").onDelete("cascade"))
    .addColumn("delegate_team_id", text, (column) => column.references("team.id").onDelete("cascade"))
    .addColumn("role", text, notNull)
    .addColumn("created_at", "bigint", notNull),
  schema
    .createIndex("prototype_activating")
    .on("prototype")
    .column("activating_id")
    .where(sql<boolean>`activating_id is not null`),
  schema
    .createIndex("prototype_delegate_account")
    .on("prototype")
    .column("delegate_account_id")
    .where(sql<boolean>`delegate_account_id is not null`),
  schema
    .createIndex("prototype_delegate_team")
    .on("prototype")
    .column("delegate_team_id")
    .where(sql<boolean>`delegate_team_id is not null`),
  schema.createIndex("prototype_organization").on("prototype").columns(["organization_id", "created_at", "id"]),

  schema
    .createTable("oauth_application")
    .addColumn("client_id", text, primaryKey)
    .addColumn("organization_id", text, partOf("account.id"))
    .addColumn("name", text, notNull)
    .addColumn("description", text, notNull)
    .addColumn("application_uri", text, notNull)
    .addColumn("redirect_uri", text, notNull)
    .addColumn("avatar_email", text)
    .addColumn("secret_sealed", text, notNull)
    .addColumn("created_at", "bigint", notNull),
  schema
    .createIndex("oauth_application_organization")
    .on("oauth_application")
    .columns(["organization_id", "created_at", "client_id"]),

  schema
    .createTable("oauth_token")
    .addColumn("id", text, primaryKey)
    .addColumn("token_hash", text, unique)
    .addColumn("client_id", text, partOf("oauth_application.client_id"))
    .addColumn("account_id", text, partOf("account.id"))
    .addColumn("scope", text, notNull)
    .addColumn("name", text)
    .addColumn("created_at", "bigint", notNull)
    .addColumn("expires_at", "bigint", notNull)
    .addColumn("last_accessed_at", "bigint"),
  schema.createIndex("oauth_token_account").on("oauth_token").columns(["account_id", "created_at desc", "id desc"]),
  schema.createIndex("oauth_token_client").on("oauth_token").columns(["client_id", "created_at desc", "id desc"]),

  schema
    .createTable("oauth_code")
    .addColumn("code_hash", text, primaryKey)
    .addColumn("client_id", text, partOf("oauth_application.client_id"))
    .addColumn("account_id", text, partOf("account.id"))
    .addColumn("scope", text, notNull)
    .addColumn("redirect_uri", text, notNull)
    .addColumn("code_challenge", text)
    .addColumn("token_id", text)
    .addColumn("expires_at", "bigint", notNull),
  schema.createIndex("oauth_code_account").on("oauth_code").column("account_id"),
  schema.createIndex("oauth_code_client").on("oauth_code").column("client_id"),

  schema
    .createTable("oauth_assignment")
    .addColumn("id", text, primaryKey)
    .addColumn("client_id", text, partOf("oauth_application.client_id"))
    .addColumn("account_id", text, partOf("account.id"))
    .addColumn("scope", text, notNull)
    .addColumn("redirect_uri", text, notNull)
    .addColumn("created_at", "bigint", notNull),
  schema
    .createIndex("oauth_assignment_account")
    .on("oauth_assignment")
    .columns(["account_id", "created_at desc", "id desc"]),
  schema.createIndex("oauth_assignment_client").on("oauth_assignment").column("client_id"),
];
