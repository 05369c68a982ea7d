import { job } from "@plimsoll/store";
import { listLivingRepositories } from "../../content/queries/tags.ts";
import type { Deps } from "../../deps.ts";
import { readByKeys, readPages } from "../../store/bounded-reads.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { dayOf } from "../../values/dates.ts";
import {
  type DailyCounts,
  deleteDailyCounts,
  type FoundImage,
  listDailyCounts,
  listShownImages,
  putDailyCounts,
} from "./queries.ts";

/** How many days the counts of vulnerabilities are kept. */
export const keptDays = 366;

const dayMs = 86_400_000;

type Counts = Omit<DailyCounts, "repository_id" | "day">;

const nothing: Counts = {
  ...{ critical: 0, high: 0, medium: 0, low: 0, negligible: 0, unknown: 0, fixable: 0, exploited: 0 },
  ...{ images: 0, uncounted: 0, partial: 0 },
};

/** Stores how many vulnerabilities the images of each repository have today. Recurs. */
export const keepTrendJob = job({
  kind: "registry.store-finding-trend",
  key: () => "",
  priority: "bulk",
  handle: ({ signal }, { store, clock }: Pick<Deps, "store" | "clock">) =>
    keepTrend(store.db, { now: clock.now(), signal }),
});

/**
 * Stores how many vulnerabilities the images of each repository have now, as the counts of today. Writes nothing for a repository whose
 * counts have not changed. Can be stopped at any moment.
 */
export async function keepTrend(
  db: RegistryDb,
  { now, signal }: { readonly now: number; readonly signal: AbortSignal },
): Promise<void> {
  const pages = readPages<{ readonly id: string }>((last) => listLivingRepositories(db, last?.id ?? ""));
  for await (const repositories of pages) {
    signal.throwIfAborted();
    const ids = repositories.map(({ id }) => id);
    const [counts, stored] = [await countRepositories(db, ids, now), await storedCounts(db, ids, dayOf(now))];
    for (const id of ids) await keepCounts(db, { id, now, counts: counts.get(id), stored: stored.get(id) });
  }
}

async function countRepositories(db: RegistryDb, ids: readonly string[], now: number) {
  const counts = new Map<string, Counts>();
  const images = readByKeys<FoundImage>(ids, (repositoryIds, last) =>
    listShownImages(db, { repositoryIds, after: last?.digest ?? "", vulnerability: "", now }),
  );
  for await (const rows of images) {
    for (const row of rows) counts.set(row.repository_id, withImage(counts.get(row.repository_id) ?? nothing, row));
  }
  return counts;
}

function withImage(counts: Counts, image: FoundImage): Counts {
  const uncounted = image.counted_at === null ? 1 : 0;
  const added = { ...image, images: 1, uncounted, partial: image.is_partial };
  const names = Object.keys(counts) as (keyof Counts)[];
  return Object.fromEntries(names.map((name) => [name, counts[name] + (added[name] ?? 0)])) as unknown as Counts;
}

/** The counts that were stored last for each repository. */
async function storedCounts(db: RegistryDb, ids: readonly string[], day: string) {
  const latest = new Map<string, DailyCounts>();
  for await (const rows of readByKeys<DailyCounts>(ids, (some) =>
    listDailyCounts(db, { repositoryIds: some, firstDay: day }),
  )) {
    for (const row of rows) latest.set(row.repository_id, row);
  }
  return latest;
}

interface KeptRepository {
  readonly id: string;
  readonly now: number;
  readonly counts: Counts | undefined;
  readonly stored: DailyCounts | undefined;
}

async function keepCounts(db: RegistryDb, { id, now, counts = nothing, stored }: KeptRepository): Promise<void> {
  const known = stored ?? nothing;
  const names = Object.keys(nothing) as (keyof Counts)[];
  if (names.every((name) => known[name] === counts[name])) return;
  await putDailyCounts(db, { repository_id: id, day: dayOf(now), ...counts });
  await deleteDailyCounts(db, id, dayOf(now - keptDays * dayMs));
}
