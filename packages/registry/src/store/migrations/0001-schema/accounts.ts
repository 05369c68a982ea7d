import type { BuildSchema } from "@plimsoll/store";
import { sql } from "kysely";
import { userEmail } from "../../expressions.ts";

/** Accounts, and how they sign in. */
export const accounts: BuildSchema = ({ schema, text, notNull, partOf, primaryKey, unique, zero }) => [
  schema
    .createTable("account")
    .addColumn("id", text, primaryKey)
    .addColumn("kind", text, notNull)
    .addColumn("username", text, unique)
    .addColumn("email", text)
    .addColumn("password_hash", text)
    .addColumn("verified", "integer", notNull)
    .addColumn("enabled", "integer", notNull)
    .addColumn("credential_version", "integer", notNull)
    .addColumn("invoice_email", "integer", notNull)
    .addColumn("invoice_email_address", text)
    .addColumn("tag_expiration_s", "bigint", notNull)
    .addColumn("profile", text, notNull)
    .addColumn("created_at", "bigint", notNull)
    .addColumn("last_accessed_at", "bigint")
    .addColumn("outside_role", text),
  // few: searches leave out their repositories
  schema.createIndex("account_disabled").on("account").column("id").where(sql<boolean>`enabled = 0`),
  schema.createIndex("account_kind").on("account").columns(["kind", "id"]),
  schema.createIndex("account_name").on("account").column("username").where(sql<boolean>`kind <> 'robot'`),
  // addresses of users are unique, whatever their case
  schema
    .createIndex("account_user_email")
    .unique()
    .on("account")
    .expression(sql`(${sql.raw(userEmail)})`),

  schema
    .createTable("robot")
    .addColumn("account_id", text, (column) => partOf("account.id")(column).primaryKey())
    .addColumn("owner_id", text, partOf("account.id"))
    .addColumn("short_name", text, notNull)
    .addColumn("description", text, notNull)
    .addColumn("metadata", text, notNull)
    .addColumn("token_sealed", text, notNull)
    .addColumn("token_hash", text, notNull),
  schema.createIndex("robot_by_short_name").on("robot").columns(["short_name", "owner_id"]),
  schema.createIndex("robot_owner").on("robot").columns(["owner_id", "short_name"]),

  schema
    .createTable("robot_federation")
    .addColumn("robot_id", text, partOf("account.id"))
    .addColumn("issuer", text, notNull)
    .addColumn("subject", text, notNull)
    .addColumn("created_at", "bigint", notNull)
    .addPrimaryKeyConstraint("robot_federation_pkey", ["robot_id", "issuer", "subject"]),

  schema
    .createTable("retired_namespace")
    .addColumn("account_id", text, (column) => partOf("account.id")(column).primaryKey())
    .addColumn("name", text, unique)
    .addColumn("retired_at", "bigint", notNull),

  schema
    .createTable("session")
    .addColumn("id_hash", text, primaryKey)
    .addColumn("account_id", text, (column) => column.references("account.id").onDelete("cascade"))
    .addColumn("credential_version", "integer", notNull)
    .addColumn("csrf_token", text, notNull)
    .addColumn("created_at", "bigint", notNull)
    .addColumn("fresh_at", "bigint", notNull)
    .addColumn("expires_at", "bigint", notNull)
    .addColumn("outside_service", text)
    .addColumn("outside_subject", text)
    .addColumn("outside_sid", text)
    .addColumn("outside_token_sealed", text),
  schema.createIndex("session_account").on("session").column("account_id"),
  schema.createIndex("session_expiry").on("session").column("expires_at"),
  schema
    .createIndex("session_outside")
    .on("session")
    .columns(["outside_service", "outside_subject"])
    .where(sql<boolean>`outside_service is not null`),
  schema
    .createIndex("session_outside_sid")
    .on("session")
    .columns(["outside_service", "outside_sid"])
    .where(sql<boolean>`outside_sid is not null`),

  schema
    .createTable("external_login")
    .addColumn("service", text, notNull)
    .addColumn("subject", text, notNull)
    .addColumn("account_id", text, partOf("account.id"))
    .addColumn("created_at", "bigint", notNull)
    .addColumn("role", text)
    .addColumn("left_at", "bigint")
    .addPrimaryKeyConstraint("external_login_pkey", ["service", "subject"]),
  schema.createIndex("external_login_account").unique().on("external_login").columns(["account_id", "service"]),

  schema
    .createTable("logout_token")
    .addColumn("service", text, notNull)
    .addColumn("jti_hash", text, notNull)
    .addColumn("expires_at", "bigint", notNull)
    .addPrimaryKeyConstraint("logout_token_pkey", ["service", "jti_hash"]),
  schema.createIndex("logout_token_end").on("logout_token").column("expires_at"),

  schema
    .createTable("failed_sign_in")
    .addColumn("mark", text, primaryKey)
    .addColumn("spent_until", "bigint", notNull)
    .addColumn("forgiven_at", "bigint", zero),
  schema.createIndex("failed_sign_in_end").on("failed_sign_in").column("spent_until"),

  schema
    .createTable("sign_in_network")
    .addColumn("account_id", text, partOf("account.id"))
    .addColumn("network", text, notNull)
    .addColumn("seen_at", "bigint", notNull)
    .addPrimaryKeyConstraint("sign_in_network_pkey", ["account_id", "network"]),
  schema.createIndex("sign_in_network_network").on("sign_in_network").columns(["network", "seen_at"]),
  schema.createIndex("sign_in_network_seen").on("sign_in_network").columns(["account_id", "seen_at", "network"]),

  schema
    .createTable("directory_login")
    .addColumn("login", text, (column) => column.primaryKey())
    .addColumn("account_id", text, partOf("account.id"))
    .addColumn("seen_at", "bigint", notNull),
  schema.createIndex("directory_login_account").on("directory_login").columns(["account_id", "seen_at"]),

  schema
    .createTable("app_token")
    .addColumn("id", text, primaryKey)
    .addColumn("account_id", text, partOf("account.id"))
    .addColumn("title", text, notNull)
    .addColumn("token_hash", text, unique)
    .addColumn("token_sealed", text, notNull)
    .addColumn("created_at", "bigint", notNull)
    .addColumn("expires_at", "bigint")
    .addColumn("last_accessed_at", "bigint"),
  schema.createIndex("app_token_account").on("app_token").columns(["account_id", "created_at desc", "id desc"]),
];
