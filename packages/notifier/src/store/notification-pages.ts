import type { Notification, NotificationPage, VulnerabilitySummary } from "../notification.ts";
import type { NotifierStore } from "./tables.ts";

/** Which part of a set. */
export interface PageOptions {
  readonly size: number;
  /** The place in the set of the last notification of the page before; 0 for the first page. */
  readonly after: number;
}

/**
 * A page of a set in order. A set that is gone, or never was, has no notifications. Both reads name a range of a primary
 * key that is no larger than the page, so that a page costs the same at any depth, whatever statistics there are.
 */
export async function readPage(
  { db }: NotifierStore,
  setId: string,
  { size, after }: PageOptions,
): Promise<NotificationPage> {
  const rows = await db
    .selectFrom("notification")
    .select(["seq", "id", "manifest", "reason", "vulnerability"])
    .where("set_id", "=", setId)
    .where("seq", ">", after)
    .where("seq", "<=", after + size + 1) // they are counted without gaps
    .orderBy("seq")
    .execute();
  const kept = rows.slice(0, size);
  const last = rows.length > size ? kept.at(-1) : undefined;
  const summaries = await readSummaries(db, setId, [...new Set(kept.map(({ vulnerability }) => vulnerability))]);
  return {
    page: { size: kept.length, ...(last !== undefined && { next: String(last.seq) }) },
    notifications: kept.flatMap(({ id, manifest, reason, vulnerability: number }): readonly Notification[] => {
      const vulnerability = summaries.get(number);
      return vulnerability === undefined ? [] : [{ id, manifest, reason, vulnerability }]; // the set was just deleted
    }),
  };
}

async function readSummaries(
  db: NotifierStore["db"],
  setId: string,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, VulnerabilitySummary>> {
  if (numbers.length === 0) return new Map();
  const rows = await db
    .selectFrom("notified_vulnerability")
    .select(["number", "summary"])
    .where("set_id", "=", setId)
    .where("number", "in", numbers)
    .execute();
  return new Map(rows.map(({ number, summary }) => [number, JSON.parse(summary) as VulnerabilitySummary]));
}
