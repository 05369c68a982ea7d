import { job } from "@plimsoll/store";
import type { Deps } from "../deps.ts";
import { findFact, putFact } from "../store/registry-facts.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { dayOf } from "../values/dates.ts";
import { deleteDailyCounts, listDailyPulls, listRepositoryIds, putDailyCounts } from "./queries/repositories.ts";

/** The number of days, today included, for which the usage of a repository is shown. */
export const shownDays = 92;

const dayMs = 86_400_000;

/** How many repositories are counted in one statement. */
const pageLength = 500;

/** The name of the fact that holds the first instant that is not counted yet. */
const countedUntilFact = "actions-counted-until";

/** Counts how often repositories are used, by the days that are over. Recurs. */
export const countActionsJob = job({
  kind: "registry.count-actions",
  key: () => "",
  priority: "bulk",
  handle: ({ signal }, { store, clock }: Pick<Deps, "store" | "clock">) =>
    countActions(store.db, { now: clock.now(), signal }),
});

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
  for (let after: string | undefined = ""; after !== undefined; ) {
    signal.throwIfAborted();
    const ids: readonly string[] = await listRepositoryIds(db, { after, limit: pageLength });
    if (ids.length > 0) await putDailyCounts(db, ids, { startAt, endAt: startAt + dayMs });
    after = ids.at(-1);
  }
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
