import { type NotifierTables, notifierMigrations, type VulnerabilitySummary } from "@plimsoll/notifier";
import { openStore } from "@plimsoll/store";
import { insertSet } from "../../packages/notifier/src/store/notification-sets.ts";

/** Puts a set into a database: one added vulnerability after another, all of one image. */
export async function putNotificationSet(
  location: string,
  {
    id,
    manifest,
    names,
    more = {},
  }: {
    readonly id: string;
    readonly manifest: string;
    readonly names: readonly string[];
    readonly more?: Partial<VulnerabilitySummary>;
  },
): Promise<void> {
  await using store = await openStore<NotifierTables>(location, { migrations: [notifierMigrations] });
  const notifications = names.map((name) => ({
    manifest,
    reason: "added" as const,
    vulnerability: {
      name,
      normalized_severity: "High" as const,
      package: { id: "1", name: "openssl", version: "", kind: "SOURCE" as const },
      ...more,
    },
  }));
  const operation = { ref: "7c1f0000-0000-4000-8000-0000000000ff", updater: "debian", date: "2026-11-21T00:00:00Z" };
  await store.transaction((transaction) =>
    insertSet(transaction, { id, subscriber: "transport", operation, notifications, createdAt: 0 }),
  );
}

/** How many update operations the notifier has seen. */
export async function countSeenOperations(location: string): Promise<number> {
  await using store = await openStore<NotifierTables>(location, { migrations: [notifierMigrations] });
  const seen = store.db.selectFrom("notified_operation").select("ref").where("subscriber", "=", "transport");
  return (await seen.execute()).length;
}
