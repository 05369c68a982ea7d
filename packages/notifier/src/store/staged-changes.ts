import { type Kysely, sql } from "kysely";
import type { ManifestChanges, Reason } from "../values/notification.ts";
import type { Subscription } from "./notification-sets.ts";
import type { NotifierStore, NotifierTables } from "./tables.ts";

/** Vulnerabilities (by number) each of which was added to, or removed from, each of the manifests. */
export interface StagedBlock {
  readonly reason: Reason;
  readonly vulnerabilities: readonly number[];
  readonly manifests: readonly string[];
}

/** The pairs of one statement. */
const pairsPerStatement = 20_000;

/**
 * The changes of one update operation for a subscriber, stored pair by pair in the database until all are known. So the number of manifests
 * is not limited by memory. The caller holds the updater's lock.
 */
export class StagedChanges {
  readonly #store: NotifierStore;
  readonly #subscription: Subscription;
  readonly #pairs: Record<Reason, [manifest: string, vulnerability: number][]> = { added: [], removed: [] };

  private constructor(store: NotifierStore, subscription: Subscription) {
    this.#store = store;
    this.#subscription = subscription;
  }

  /** Begins staging. Deletes changes that a killed process has left. */
  static async begin(store: NotifierStore, subscription: Subscription): Promise<StagedChanges> {
    await clearStaged(store, subscription);
    return new StagedChanges(store, subscription);
  }

  /** Adds pairs; a pair may be added several times. */
  async put({ reason, vulnerabilities, manifests }: StagedBlock): Promise<void> {
    const pairs = this.#pairs[reason];
    for (const manifest of manifests) {
      for (const vulnerability of vulnerabilities) {
        if (pairs.push([manifest, vulnerability]) >= pairsPerStatement) await this.#write(reason);
      }
    }
  }

  /** Writes buffered pairs. */
  async flush(): Promise<void> {
    await this.#write("added");
    await this.#write("removed");
  }

  async #write(reason: Reason): Promise<void> {
    const pairs = this.#pairs[reason].splice(0).sort(byManifest);
    if (pairs.length === 0) return;
    const isAdded = Number(reason === "added");
    const { kind, db } = this.#store;
    const { subscriber, updater } = this.#subscription;
    const rows =
      kind === "sqlite"
        ? sql`select ${subscriber}, ${updater}, value ->> 0, value ->> 1, ${isAdded} from json_each(${JSON.stringify(pairs)}) where true`
        : sql`select ${subscriber}, ${updater}, manifest, vulnerability, ${isAdded}::integer from unnest(
            ${pairs.map(([manifest]) => manifest)}::text[], ${pairs.map(([, number]) => number)}::integer[]
          ) pair (manifest, vulnerability)`;
    await sql`insert into staged_change (subscriber, updater, manifest, vulnerability, is_added) ${rows}
      on conflict do nothing`.execute(db);
  }
}

/** The order of the table's key, so that neighbouring rows are written together. */
function byManifest([a]: readonly [string, number], [b]: readonly [string, number]): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The rows of one read. */
const rowsPerRead = 5_000;

/** Reads the staged changes of an updater for a subscriber, grouped by manifest. */
export async function* readStaged(
  db: Kysely<NotifierTables>,
  { subscriber, updater }: Subscription,
): AsyncGenerator<ManifestChanges> {
  let changes: { manifest: string; added: number[]; removed: number[] } | undefined;
  let after: readonly [string, number, number] = ["", 0, 0];
  for (let isLast = false; !isLast; ) {
    const [manifest, vulnerability, isAdded] = after;
    const rows = await db
      .selectFrom("staged_change")
      .select(["manifest", "vulnerability", "is_added"])
      .where("subscriber", "=", subscriber)
      .where("updater", "=", updater)
      .where(sql<boolean>`(manifest, vulnerability, is_added) > (${manifest}, ${vulnerability}, ${isAdded})`)
      .orderBy("manifest")
      .orderBy("vulnerability")
      .orderBy("is_added")
      .limit(rowsPerRead)
      .execute();
    for (const row of rows) {
      if (row.manifest !== changes?.manifest) {
        if (changes !== undefined) yield changes;
        changes = { manifest: row.manifest, added: [], removed: [] };
      }
      changes[row.is_added === 1 ? "added" : "removed"].push(row.vulnerability);
      after = [row.manifest, row.vulnerability, row.is_added];
    }
    isLast = rows.length < rowsPerRead;
  }
  if (changes !== undefined) yield changes;
}

/** Deletes the staged changes of an updater for a subscriber, in short transactions. */
export async function clearStaged(
  { db, relaxed }: NotifierStore,
  { subscriber, updater }: Subscription,
): Promise<void> {
  const staged = db
    .selectFrom("staged_change")
    .where("subscriber", "=", subscriber)
    .where("updater", "=", updater)
    .select("manifest")
    .orderBy("manifest");
  for (let isLast = false; !isLast; ) {
    const next = await staged.offset(rowsPerDelete).limit(1).executeTakeFirst();
    const rows = relaxed
      .deleteFrom("staged_change")
      .where("subscriber", "=", subscriber)
      .where("updater", "=", updater);
    await (next === undefined ? rows : rows.where("manifest", "<=", next.manifest)).execute();
    isLast = next === undefined;
  }
}

/** The least number of rows of one statement; it also deletes the other rows of the last manifest. */
const rowsPerDelete = 2_000;
