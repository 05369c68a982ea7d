import { onSelf, superusers } from "@plimsoll/registry/access/on-account";
import { onOrganization } from "@plimsoll/registry/access/on-organization";
import type { CallContext } from "@plimsoll/registry/context";
import { countedDays, keptSizeDays } from "@plimsoll/registry/repositories/count-actions";
import {
  listDailySizes,
  listPullsByDay,
  listSizedRepositories,
  type SizedRepository,
} from "@plimsoll/registry/repositories/queries/repositories";
import { repositoryViewer } from "@plimsoll/registry/repositories/queries/visible-repositories";
import { FirstOf } from "@plimsoll/registry/security/namespace-security/first-of";
import { readersOf } from "@plimsoll/registry/security/namespace-security/readers";
import { gather, readByKeys, readPages } from "@plimsoll/registry/store/bounded-reads";
import { dayOf } from "@plimsoll/registry/values/dates";
import { type Static, Type } from "typebox";
import { operation } from "../../operation.ts";

const Pulls = Type.Union([Type.Integer(), Type.Null()], {
  description: "Null: not counted. The pulls of a day are counted when it is over, and kept for 92 days",
});

const Usage = Type.Object({
  days: Type.Array(
    Type.Object({
      day: Type.String({ format: "date", description: "In UTC" }),
      size_bytes: Type.Integer({
        description: "The sum of the sizes of repositories; what several of them have counts for each",
      }),
      pulls: Pulls,
    }),
    {
      description:
        "The earliest first, up to today; days before the first on which anything was stored are not among them",
    },
  ),
  repositories: Type.Array(
    Type.Object({
      repository: Type.String({ description: "NAMESPACE/NAME" }),
      size_bytes: Type.Integer({ description: "Its size now" }),
      sizes: Type.Array(Type.Integer(), { description: "Its size on each of the days" }),
      pulls: Type.Array(Pulls, { description: "Its pulls on each of the days" }),
    }),
    { description: "The ten largest that the caller may read, the largest first" },
  ),
});
type Usage = Static<typeof Usage>;

const ofDays = Type.Object({
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: keptSizeDays, description: "Default: 30" })),
});

const resource = { method: "GET", isOwn: true, success: 200, query: ofDays, result: Usage, mayBeLong: true } as const;

/** How many bytes repositories store, and how often they are pulled, by day. */
export const dailyUsageOperations = [
  operation({
    ...resource,
    id: "getOrganizationUsage",
    path: "/organization/{orgname}/usage",
    tag: "organization",
    access: readersOf(onOrganization("member", { scope: "repo:read" })),
    summary:
      "How large the repositories of an organization were on each day, and how often they were pulled, as far as the caller may read them.",
    handle: ({ subject: { organization }, query: { days = 30 } }, context) =>
      viewUsage(context, { namespaceId: organization.id, days }),
  }),
  operation({
    ...resource,
    id: "getUserUsage",
    path: "/user/usage",
    tag: "user",
    access: readersOf(onSelf("repo:read")),
    summary: "How large the repositories of the user's own namespace were on each day, and how often they were pulled.",
    handle: ({ subject: { account }, query: { days = 30 } }, context) =>
      viewUsage(context, { namespaceId: account.id, days }),
  }),
  operation({
    ...resource,
    id: "getRegistryUsage",
    path: "/superuser/usage",
    tag: "superuser",
    access: superusers,
    summary: "How large all repositories were on each day, and how often they were pulled.",
    handle: ({ query: { days = 30 } }, context) => viewUsage(context, { namespaceId: undefined, days }),
  }),
] as const;

const dayMs = 86_400_000;

/** How many of the largest repositories are shown. */
const shownRepositories = 10;

interface UsageQuery {
  /** Undefined: the whole registry. Its sums have all repositories, also those that the caller may not read. */
  readonly namespaceId: string | undefined;
  readonly days: number;
}

interface RepositoryUsage {
  readonly repository: string;
  readonly size_bytes: number;
  readonly sizes: number[];
  readonly pulls: number[];
}

/** The bytes and pulls of repositories by day. The size of today is the present one, as lists have it. */
async function viewUsage(context: CallContext, { namespaceId, days: length }: UsageQuery): Promise<Usage> {
  const { db, principal, globalRole, now } = context;
  const days = Array.from({ length }, (_, index) => dayOf(now - (length - 1 - index) * dayMs));
  const viewer = repositoryViewer(principal, globalRole);
  const [sizes, pulls] = [days.map(() => 0), days.map(() => 0)];
  const largest = new FirstOf<RepositoryUsage>(shownRepositories, byLargest);
  let first = length - 1;
  const pages = readPages<SizedRepository>((last) =>
    listSizedRepositories(db, { namespaceId, viewer, after: last?.id ?? "" }),
  );
  for await (const repositories of pages) {
    for (const { since, isSeen, ...usage } of await readUsage(context, repositories, days)) {
      first = Math.min(first, since);
      addTo(sizes, usage.sizes);
      addTo(pulls, usage.pulls);
      if (isSeen) largest.add(usage);
    }
  }
  const counted = await countedDays(db, now);
  const pullsOf = (counts: readonly number[]) =>
    days.map((day, index) => (day >= counted.from && day < counted.until ? (counts[index] ?? 0) : null)).slice(first);
  const shownPulls = pullsOf(pulls);
  return {
    days: days
      .slice(first)
      .map((day, index) => ({ day, size_bytes: sizes[first + index] ?? 0, pulls: shownPulls[index] ?? null })),
    repositories: largest
      .sorted()
      .map((each) => ({ ...each, sizes: each.sizes.slice(first), pulls: pullsOf(each.pulls) })),
  };
}

function byLargest(one: RepositoryUsage, other: RepositoryUsage): number {
  if (one.size_bytes !== other.size_bytes) return other.size_bytes - one.size_bytes;
  return one.repository < other.repository ? -1 : 1;
}

function addTo(sums: number[], counts: readonly number[]): void {
  for (const [index, count] of counts.entries()) sums[index] = (sums[index] ?? 0) + count;
}

/** The sizes and pulls of some repositories on each of the days, and the first day on which something is known of each. */
async function readUsage(
  { db }: Pick<CallContext, "db">,
  repositories: readonly SizedRepository[],
  days: readonly string[],
) {
  const ids = repositories.map(({ id }) => id);
  const firstDay = days[0] ?? "";
  const stored = await gather(readByKeys(ids, (some) => listDailySizes(db, some, firstDay)));
  const pulled = await gather(readByKeys(ids, (some) => listPullsByDay(db, some, firstDay)));
  const sizesOf = Map.groupBy(stored, (row) => row.repository_id);
  const pullsOf = Map.groupBy(pulled, (row) => row.repository_id);
  return repositories.map(({ id, namespace, name, size_bytes, is_seen: isSeen }) => {
    const rows = sizesOf.get(id) ?? [];
    const pulls = new Map(pullsOf.get(id)?.map((each) => [each.day, each.pulls]));
    const sizes = [...sizesOn(days, rows).slice(0, -1), size_bytes];
    const knownFrom = [rows[0]?.day, ...pulls.keys()].filter((day) => day !== undefined).sort()[0];
    const since = knownFrom === undefined ? days.length - 1 : days.findIndex((day) => day >= knownFrom);
    const usage = {
      repository: `${namespace}/${name}`,
      size_bytes,
      sizes,
      pulls: days.map((day) => pulls.get(day) ?? 0),
    };
    return { ...usage, since, isSeen: isSeen === 1 };
  });
}

/** The size on each of some days: the one that was stored last until then. */
function sizesOn(
  days: readonly string[],
  rows: readonly { readonly day: string; readonly size_bytes: number }[],
): number[] {
  let [next, current] = [0, 0];
  return days.map((day) => {
    for (let row = rows[next]; row !== undefined && row.day <= day; row = rows[++next]) current = row.size_bytes;
    return current;
  });
}
