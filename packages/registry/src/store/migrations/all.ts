import { type MigrationSet, schemaMigration } from "@plimsoll/store";
import { type Kysely, sql } from "kysely";
import { accounts } from "./0001-schema/accounts.ts";
import { administration, builds } from "./0001-schema/administration.ts";
import { content, sizes } from "./0001-schema/content.ts";
import { organizations } from "./0001-schema/organizations.ts";
import { dailySizes, findings, repositories, upgrades } from "./0001-schema/repositories.ts";
import { upstreams } from "./0001-schema/upstreams.ts";

/** Kinds of jobs by their earlier names. */
const renamedKinds: Readonly<Record<string, string>> = {
  "server.tell-cancelled": "server.report-cancelled-job",
  "registry.tell-quota": "registry.emit-quota-events",
  "registry.tell-failed-export": "registry.mail-failed-export",
  "registry.tell-expirations": "registry.emit-expirations",
  "registry.bring-image": "registry.cache-image",
  "registry.forget-pulls": "registry.delete-pulls",
  "registry.forget-reports": "registry.delete-reports",
  "registry.count-again": "registry.recount-findings",
  "registry.count-attached": "registry.recount-images",
  "registry.keep-finding-trend": "registry.store-finding-trend",
};

/**
 * Gives kinds of jobs of an older database the names that operators see from the first release on. Waiting jobs, recurrences and jobs that have
 * failed for good keep their rows.
 */
export async function renameJobs<DB>(db: Kysely<DB>): Promise<void> {
  for (const [before, after] of Object.entries(renamedKinds)) {
    const key = sql`${after} || substr(unique_key, ${sql.lit(before.length + 1)})`;
    await sql`update jobs set kind = ${after}, unique_key = ${key} where kind = ${before}`.execute(db);
  }
}

/** Has all images counted again by the next run, since their upgrades were not stored. */
async function recountImages<DB>(db: Kysely<DB>): Promise<void> {
  await sql`update finding_count set due_at = 0`.execute(db);
}

/** The platform of an image, which databases of earlier versions lack. */
const platforms = schemaMigration("0002-platforms", ({ schema, text }) => [
  schema.alterTable("image_manifest").addColumn("platform", text),
]);

const orders = schemaMigration("0003-orders", sizes);
const foundUpgrades = schemaMigration("0004-upgrades", upgrades);
const sizesByDay = schemaMigration("0005-daily-sizes", dailySizes);

/** The registry's schema. */
export const registryMigrations: MigrationSet = {
  service: "registry",
  migrations: [
    schemaMigration(
      "0001-schema-5",
      accounts,
      organizations,
      content,
      sizes,
      findings,
      upgrades,
      repositories,
      dailySizes,
      upstreams,
      builds,
      administration,
    ),
  ],
  replaces: [
    {
      names: [
        "0001-accounts",
        "0002-content",
        "0003-repositories",
        "0004-administration",
        "0005-sign-ins",
        "0006-scan-queue",
        "0007-usage-of-links",
        "0008-foreign-keys",
        "0009-ordered-lists",
        "0010-collected-images",
        "0011-daily-log-counts",
        "0012-searched-names",
        "0013-listed-pages",
        "0014-disabled-accounts",
        "0015-mirror-worker",
        "0016-deliveries",
        "0017-log-exports",
        "0018-build-runs",
        "0020-external-logins",
        "0024-proxied-images",
        "0027-immutable-tags",
        "0028-pull-gates",
        "0029-finding-counts",
        "0030-found-vulnerabilities",
        "0031-outside-roles",
        "0032-robot-federations",
        "0033-ending-invites",
        "0034-told-findings",
        "0035-log-archives",
        "0036-organization-mirrors",
        "0037-build-sources",
        "0038-build-triggers",
        "0040-ignore-rules",
        "0041-finding-trends",
        "0042-build-log-archives",
        "0045-failures",
        "0046-provider-sessions",
        "0047-organization-immutability",
        "0048-security-revisions",
        "0049-blob-removals",
        "0050-daily-pulls",
        "0051-mirror-waits",
        "0054-document-attachers",
        "0055-sign-in-networks",
        "0056-metadata-bytes",
        "0057-manifest-pieces",
        "0058-damaged-blobs",
        "0059-proxied-referrers",
        "0060-manifest-kinds",
        "0061-sign-in-budgets",
        "0062-namespace-notifications",
        "0063-known-logins",
      ],
      adds: [platforms, orders, foundUpgrades, sizesByDay],
      changeRows: async (db) => {
        await renameJobs(db);
        await recountImages(db);
      },
    },
    { names: ["0001-schema"], adds: [platforms, orders, foundUpgrades, sizesByDay], changeRows: recountImages },
    { names: ["0001-schema-2"], adds: [orders, foundUpgrades, sizesByDay], changeRows: recountImages },
    { names: ["0001-schema-3"], adds: [foundUpgrades, sizesByDay], changeRows: recountImages },
    { names: ["0001-schema-4"], adds: [sizesByDay] },
  ],
};
