import { type Kysely, sql } from "kysely";
import type { ManifestChanges, Reason } from "../values/notification.ts";
import type { Told } from "./notification-sets.ts";
import type { NotifierStore, NotifierTables } from "./tables.ts";

/** Vulnerabilities by number, each of which was added to, or removed from, each of the manifests. */
export interface StagedBlock {
  readonly reason: Reason;
  readonly vulnerabilities: readonly number[];
  readonly manifests: readonly string[];
}

/** Pairs of one statement. */
const pairsPerStatement = 20_000;

/**
 * What one update operation of an updater changed for a subscriber, put down pair by pair until all of it is known: so many manifests that
 * memory could not hold them cost nothing but disk. The caller holds the updater's lock.
 */
export class StagedChanges {
  readonly #store: NotifierStore;
  readonly #told: Told;
  readonly #pairs: Record<Reason, [manifest: string, vulnerability: number][]> = { added: [], removed: [] };

  private constructor(store: NotifierStore, told: Told) {
    this.#store = store;
    this.#told = told;
  }

  /** Starts again: deletes what a killed process left. */
  static async begin(store: NotifierStore, told: Told): Promise<StagedChanges> {
    await clearStaged(store, told);
    return new StagedChanges(store, told);
  }

  /** A pair may come several times. */
  async put({ reason, vulnerabilities, manifests }: StagedBlock): Promise<void> {
    const pairs = this.#pairs[reason];
    for (const manifest of manifests) {
      for (const vulnerability of vulnerabilities) {
        if (pairs.push([manifest, vulnerability]) >= pairsPerStatement) await this.#write(reason);
      }
    }
  }

  /** Writes what is not written yet. */
  async flush(): Promise<void> {
    await this.#write("added");
    await this.#write("removed");
  }

  async #write(reason: Reason): Promise<void> {
    const pairs = this.#pairs[reason].splice(0).sort(byManifest);
    if (pairs.length === 0) return;
    const isAdded = Number(reason === "added");
    const { kind, db } = this.#store;
    const { subscriber, updater } = this.#told;
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

/** In the order of the table, whose rows then lie side by side. */
function byManifest([a]: readonly [string, number], [b]: readonly [string, number]): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Rows of one read. */
const rowsPerRead = 5_000;

/** What is staged of an updater for a subscriber, manifest by manifest in their order. */
export async function* readStaged(
  db: Kysely<NotifierTables>,
  { subscriber, updater }: Told,
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

/** Forgets what is staged of an updater for a subscriber, in short transactions. */
export async function clearStaged({ db, relaxed }: NotifierStore, { subscriber, updater }: Told): Promise<void> {
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

/** Rows of one statement, and those of one manifest more. */
const rowsPerDelete = 2_000;
