/** A scanner's database with synthetic images, a feed update, and two ways to find what the update changes. */
import { hash } from "node:crypto";
import { type Advisory, createEngine, dpkg, linux } from "@plimsoll/core";
import { toRuledVulnerabilityJson } from "@plimsoll/core/internal";
import { indexRecords, matchRecords } from "@plimsoll/core/match";
import { type IndexerTables, indexerMigrations } from "@plimsoll/indexer";
import {
  type MatcherTables,
  matcherMigrations,
  advisoriesOf as storedAdvisories,
  updateFeeds,
} from "@plimsoll/matcher";
import { type NotifierTables, notifierMigrations } from "@plimsoll/notifier";
import { openStore, type Store } from "@plimsoll/store";
import { CompiledQuery } from "kysely";
import { distinctRecords } from "../../packages/indexer/src/values/indexed-records.ts";
import { summarize } from "../../packages/notifier/src/values/notification.ts";
import { advisoriesOf, otherAdvisoriesOf, type RematchWorld, reportOf } from "./synthetic-rematch.ts";

/** The tables of indexer, matcher and notifier. */
export type RematchTables = IndexerTables & MatcherTables & NotifierTables;

/** Opens a database with all schemas. */
export function openRematchStore(location: string): Promise<Store<RematchTables>> {
  return openStore<RematchTables>(location, { migrations: [indexerMigrations, matcherMigrations, notifierMigrations] });
}

/** An engine for Debian only. */
export const engine = createEngine({ ecosystems: [linux, dpkg] });

/** Images per transaction. */
const imagesAtOnce = 1_000;

/** Writes the images and their part of the reverse index as indexing them would, but in bulk. */
export async function indexImages(store: Store<RematchTables>, world: RematchWorld): Promise<void> {
  const known = new Map<string, number>();
  for (let at = 0; at < world.manifests; at += imagesAtOnce) {
    const rows = rowsOf(world, { from: at, to: Math.min(at + imagesAtOnce, world.manifests) }, known);
    await store.transaction(async (transaction) => {
      for (const [table, columns] of Object.entries(imageTables)) {
        const list = rows[table as keyof typeof imageTables];
        await transaction.executeQuery(insertRows(store, table, { columns, rows: list }));
      }
    });
  }
}

/** Tables, and their columns with types. */
const imageTables = {
  indexer_manifest: [
    "id bigint",
    "manifest_digest text",
    "engine_state text",
    "report text",
    "indexed_at bigint",
    "keys_state text",
  ],
  indexer_record: ["id bigint", "content_id text", "record text", "keys_state text"],
  indexer_record_key: ["ecosystem text", "package_name text", "record_id bigint"],
  indexer_manifest_record: ["record_id bigint", "manifest_id bigint"],
} as const;

type Rows = Record<keyof typeof imageTables, (readonly (string | number)[])[]>;

/** @param known the ids of the written records by content */
function rowsOf(
  world: RematchWorld,
  { from, to }: { readonly from: number; readonly to: number },
  known: Map<string, number>,
): Rows {
  const rows: Rows = { indexer_manifest: [], indexer_record: [], indexer_record_key: [], indexer_manifest_record: [] };
  for (let index = from; index < to; index++) {
    const report = reportOf(world, index);
    rows.indexer_manifest.push([index + 1, report.manifestDigest, engine.state, "{}", 0, engine.keysState]);
    for (const { contentId, text, keys } of distinctRecords(engine.matchers, report)) {
      const id = known.get(contentId) ?? known.size + 1;
      rows.indexer_manifest_record.push([id, index + 1]);
      if (known.has(contentId)) continue;
      known.set(contentId, id);
      rows.indexer_record.push([id, contentId, text, engine.keysState]);
      rows.indexer_record_key.push(...keys.map(({ ecosystem, name }) => [ecosystem, name, id]));
    }
  }
  return rows;
}

function insertRows(
  { kind }: Store<RematchTables>,
  table: string,
  { columns, rows }: { readonly columns: readonly string[]; readonly rows: readonly (readonly (string | number)[])[] },
) {
  const each = kind === "sqlite" ? "json_each(?)" : "jsonb_array_elements($1::jsonb) each (value)";
  const values = columns.map((column, place) => `cast(value ->> ${place} as ${column.split(" ")[1]})`);
  const names = columns.map((column) => column.split(" ")[0]);
  const text = `insert into ${table} (${names}) select ${values} from ${each}`;
  return CompiledQuery.raw(text, [JSON.stringify(rows)]);
}

/** Loads the feeds: both before the update, only the distribution's after it. */
export async function loadFeeds(store: Store<RematchTables>, world: RematchWorld, when: "before" | "after") {
  const feeds = [{ name: "debian", items: advisoriesOf(world, when) }];
  if (when === "before") feeds.unshift({ name: "osv", items: otherAdvisoriesOf(world) });
  await updateFeeds(
    {
      updaters: feeds.map(({ name, items }) => ({
        name,
        location: "memory:",
        update: async () => ({ kind: "snapshot", fingerprint: when, items: feedItems(items) }),
      })),
      enrichers: [],
    },
    {
      store: store as never, // it has more tables than needed

      feeds: () => ({ open: () => Promise.reject(new Error("no feeds here")), [Symbol.asyncDispose]: async () => {} }),
      clock: { now: () => (when === "before" ? 1_000 : 2_000) },
    },
  );
}

async function* feedItems(items: Iterable<Advisory>) {
  for (const item of items) yield { kind: "item", item } as const;
}

/** Matches every image: for each, by its place, the ids of the summaries of its vulnerabilities. */
export async function matchEveryImage(store: Store<RematchTables>, world: RematchWorld, when: "before" | "after") {
  const source = storedAdvisories(store as never); // it has more tables than needed
  const texts = new Map<string, string>();
  for (const advisory of [...advisoriesOf(world, when), ...otherAdvisoriesOf(world)]) {
    texts.set(advisory.id, idOf(JSON.stringify(summarize(toRuledVulnerabilityJson(advisory)))));
  }
  const found: (readonly string[])[] = [];
  for (let index = 0; index < world.manifests; index++) {
    const records = indexRecords(reportOf(world, index));
    const keys = records.flatMap((record) => engine.matchers.flatMap((matcher) => matcher.keys(record)));
    const { affected } = matchRecords(engine.matchers, { records, advisories: await source.lookup(keys) });
    found.push([...new Set(affected.map(({ advisory }) => texts.get(advisory.id) ?? ""))]);
  }
  return found;
}

function idOf(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 12);
}

/** The expected notifications, by image: lines of reason and summary id for each difference between before and after. */
export function differences(
  world: RematchWorld,
  before: readonly (readonly string[])[],
  after: readonly (readonly string[])[],
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (let index = 0; index < world.manifests; index++) {
    const [was, is] = [new Set(before[index]), new Set(after[index])];
    const lines = [
      ...[...is].filter((id) => !was.has(id)).map((id) => `added ${id}`),
      ...[...was].filter((id) => !is.has(id)).map((id) => `removed ${id}`),
    ];
    if (lines.length > 0) found.set(reportOf(world, index).manifestDigest, lines.sort());
  }
  return found;
}

/** The same lines for the stored notification sets. */
export async function storedDifferences(store: Store<RematchTables>): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  const summaries = await store.db.selectFrom("notified_vulnerability").selectAll().execute();
  const ids = new Map(summaries.map(({ set_id, number, summary }) => [`${set_id} ${number}`, idOf(summary)]));
  for (const { id } of await store.db.selectFrom("notification_set").select("id").execute()) {
    for (let after = 0, rows = 1; rows > 0; after += rowsAtOnce) {
      const page = await store.db
        .selectFrom("notification")
        .select(["manifest", "reason", "vulnerability"])
        .where("set_id", "=", id)
        .where("seq", ">", after)
        .where("seq", "<=", after + rowsAtOnce)
        .execute();
      rows = page.length;
      for (const { manifest, reason, vulnerability } of page) {
        const lines = found.get(manifest) ?? [];
        found.set(manifest, lines);
        lines.push(`${reason} ${ids.get(`${id} ${vulnerability}`)}`);
      }
    }
  }
  for (const lines of found.values()) lines.sort();
  return found;
}

const rowsAtOnce = 10_000;
