import type { AccountRow } from "@plimsoll/registry/access/queries";
import type { CallContext } from "@plimsoll/registry/context";
import { repositoryViewer } from "@plimsoll/registry/repositories/queries/listed-repositories";
import {
  type DailyCounts,
  listDailyCounts,
  listVisible,
  type NamedRepository,
} from "@plimsoll/registry/security/namespace-security/queries";
import { readByKeys, readPages } from "@plimsoll/registry/store/bounded-reads";
import { dayOf } from "@plimsoll/registry/values/dates";
import { noSeverities, type SeverityCounts } from "../../content/views.ts";

const dayMs = 86_400_000;

/** The sums over the images of a namespace on a day. */
interface TrendDay {
  readonly day: string;
  readonly severities: SeverityCounts;
  images: number;
  uncounted: number;
  partial: number;
}

/**
 * How many vulnerabilities the images of a namespace had on each of the last days, in repositories that the caller may read. The days begin with the first
 * that has stored counts. Deleted repositories are left out for all days.
 */
export async function viewTrend(
  { db, principal, globalRole, now }: CallContext,
  { id: namespaceId }: Pick<AccountRow, "id">,
  { days: length }: { readonly days: number },
) {
  const days = Array.from({ length }, (_, index) => emptyDay(dayOf(now - (length - 1 - index) * dayMs)));
  const firstDay = days[0]?.day ?? "";
  const viewer = repositoryViewer(principal, globalRole);
  let since: string | undefined;
  const pages = readPages<NamedRepository>((last) => listVisible(db, { namespaceId, viewer, after: last?.id ?? "" }));
  for await (const repositories of pages) {
    const ids = repositories.map(({ id }) => id);
    for await (const rows of readByKeys<DailyCounts>(ids, (some) =>
      listDailyCounts(db, { repositoryIds: some, firstDay }),
    )) {
      for (const ofRepository of Map.groupBy(rows, ({ repository_id }) => repository_id).values()) {
        addRepository(days, ofRepository);
      }
      for (const { day } of rows) if (since === undefined || day < since) since = day;
    }
  }
  return { days: since === undefined ? [] : days.filter(({ day }) => day >= (since ?? "")) };
}

function emptyDay(day: string): TrendDay {
  return { day, severities: { ...noSeverities }, images: 0, uncounted: 0, partial: 0 };
}

/** Adds the counts of a repository to each day: those that were stored last until then. */
function addRepository(days: readonly TrendDay[], rows: readonly DailyCounts[]): void {
  let next = 0;
  let current: DailyCounts | undefined;
  for (const day of days) {
    for (let row = rows[next]; row !== undefined && row.day <= day.day; row = rows[++next]) current = row;
    if (current !== undefined) addCounts(day, current);
  }
}

function addCounts(day: TrendDay, counts: DailyCounts): void {
  const { severities } = day;
  for (const name of ["critical", "high", "medium", "low", "negligible", "unknown", "fixable"] as const) {
    severities[name] += counts[name];
  }
  severities.known_exploited += counts.exploited;
  day.images += counts.images;
  day.uncounted += counts.uncounted;
  day.partial += counts.partial;
}
