import type { Notification, NotificationPage, VulnerabilitySummary } from "../notification.ts";
import type { NotifierStore } from "./tables.ts";

/** Which part of a set. */
export interface PageOptions {
  readonly size: number;
  /** The place in the set of the last notification of the page before; 0 for the first page. */
  readonly after: number;
}

/** A page of a set in order. A set that is gone, or never was, has no notifications. */
export async function readPage(
  { db }: NotifierStore,
  setId: string,
  { size, after }: PageOptions,
): Promise<NotificationPage> {
  const rows = await db
    .selectFrom("notification")
    .innerJoin("notified_vulnerability", (join) =>
      join
        .onRef("notified_vulnerability.set_id", "=", "notification.set_id")
        .onRef("notified_vulnerability.number", "=", "notification.vulnerability"),
    )
    .select(["seq", "id", "manifest", "reason", "summary"])
    .where("notification.set_id", "=", setId)
    .where("seq", ">", after)
    .orderBy("seq")
    .limit(size + 1)
    .execute();
  const kept = rows.slice(0, size);
  const last = rows.length > size ? kept.at(-1) : undefined;
  return {
    page: { size: kept.length, ...(last !== undefined && { next: String(last.seq) }) },
    notifications: kept.map(
      ({ id, manifest, reason, summary }): Notification => ({
        id,
        manifest,
        reason,
        vulnerability: JSON.parse(summary) as VulnerabilitySummary,
      }),
    ),
  };
}
