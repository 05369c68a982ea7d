import type { RegistryDb } from "../store/tables/all.ts";
import { dayOf } from "../values/dates.ts";
import { listDailyPulls } from "./queries/daily-action-counts.ts";

/** Of how many days, today not included, lists of repositories have the pulls. */
const listedDays = 30;

const dayMs = 86_400_000;

/** How often each of some repositories was pulled on the last days that are over, the oldest first. Today is counted tomorrow. */
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
