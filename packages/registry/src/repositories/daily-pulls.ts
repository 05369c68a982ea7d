import type { RegistryDb } from "../store/tables/all.ts";
import { dayOf } from "../values/dates.ts";
import { listDailyPulls } from "./queries/repositories.ts";

/** The number of days, today not included, for which lists show the pulls. */
const listedDays = 30;

const dayMs = 86_400_000;

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
