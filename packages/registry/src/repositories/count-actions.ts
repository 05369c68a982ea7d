import { job } from "@plimsoll/store";
import type { Deps } from "../deps.ts";
import { findFact, putFact } from "../store/registry-facts.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { dayOf } from "../values/dates.ts";
import {
  deleteDailyCounts,
  deleteDailySizes,
  listDailyPulls,
  listRepositoryIds,
  putDailyCounts,
  putDailySizes,
} from "./queries/repositories.ts";

/** The number of days, today included, for which the usage of a repository is shown. */
export const shownDays = 92;

const dayMs = 86_400_000;

/** How many repositories are counted in one statement. */
const pageLength = 500;

/** The name of the fact that holds the first instant that is not counted yet. */
const countedUntilFact = "actions-counted-until";

/** Counts how often repositories are used, by the days that are over, and stores how large they are today. Recurs. */
export const countActionsJob = job({
  kind: "registry.count-actions",
  key: () => "",
  priority: "bulk",
  async handle({ signal }, { store, clock }: Pick<Deps, "store" | "clock">) {
    await keepSizes(store.db, { now: clock.now(), signal });
    await countActions(store.db, { now: clock.now(), signal });
  },
});

/** How many days the sizes of repositories are kept. */
export const keptSizeDays = 366;

/** Stores how large each repository is now, as its size of today, and deletes what is too old. Can be stopped at any moment. */
export async function keepSizes(
  db: RegistryDb,
  { now, signal }: { readonly now: number; readonly signal: AbortSignal },
): Promise<void> {
  for await (const ids of repositoryIds(db)) {
    signal.throwIfAborted();
    await putDailySizes(db, ids, dayOf(now));
    await deleteDailySizes(db, ids, dayOf(now - keptSizeDays * dayMs));
  }
}

async function* repositoryIds(db: RegistryDb): AsyncIterable<readonly string[]> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const ids: readonly string[] = await listRepositoryIds(db, { after, limit: pageLength });
    if (ids.length > 0) yield ids;
    after = ids.at(-1);
  }
}

/**
 * Counts, once for each finished day, how often each repository was used according to the usage log. Popularity and the daily
 * figures of a repository come from these counts, so today's usage is visible tomorrow. Can be stopped at any moment.
 */
export async function countActions(
  db: RegistryDb,
  { now, signal }: { readonly now: number; readonly signal: AbortSignal },
): Promise<void> {
  const today = now - (now % dayMs);
  const firstShown = today - (shownDays - 1) * dayMs;
  const next = Number((await findFact(db, countedUntilFact)) ?? 0);
  for (let startAt = Math.max(next, firstShown); startAt < today; startAt += dayMs) {
    await countDay(db, startAt, signal);
    await putFact(db, countedUntilFact, String(startAt + dayMs));
  }
  await deleteDailyCounts(db, dayOf(firstShown));
}

async function countDay(db: RegistryDb, startAt: number, signal: AbortSignal): Promise<void> {
  for await (const ids of repositoryIds(db)) {
    signal.throwIfAborted();
    await putDailyCounts(db, ids, { startAt, endAt: startAt + dayMs });
  }
}

/** The days whose pulls are counted and still kept: from the first to the one before `until`. */
export async function countedDays(
  db: RegistryDb,
  now: number,
): Promise<{ readonly from: string; readonly until: string }> {
  const today = now - (now % dayMs);
  const next = Number((await findFact(db, countedUntilFact)) ?? 0);
  return { from: dayOf(today - (shownDays - 1) * dayMs), until: dayOf(next) };
}

/** The number of days, today not included, for which lists show the pulls. */
const listedDays = 30;

/** The pulls of each of some repositories on each of the last finished days, the oldest first. */
export async function dailyPulls(
  db: RegistryDb,
  repositories: readonly { readonly id: string }[],
  now: number,
): Promise<readonly number[][]> {
  const days = Array.from({ length: listedDays }, (_, index) => dayOf(now - (listedDays - index) * dayMs));
  const ids = repositories.map(({ id }) => id);
  const found = Map.groupBy(await listDailyPulls(db, ids, days[0] ?? ""), (each) => each.repository_id);
  return ids.map((id) => {
    const byDay = new Map(found.get(id)?.map(({ day, pulls }) => [day, pulls]));
    return days.map((day) => byDay.get(day) ?? 0);
  });
}
