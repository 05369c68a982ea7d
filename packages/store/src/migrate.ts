import { type Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { StoreError } from "./errors.ts";
import type { PreparedRead, StoreKind } from "./store.ts";

/** One step of a schema. Its name (`0002-…`) sorts after those of the steps before it, and never changes once released. */
export interface Migration {
  readonly name: string;
  up(db: Kysely<unknown>, kind: StoreKind): Promise<void>;
}

/** The schema of one service. Applied steps are recorded in its table `<service>_migrations`. */
export interface MigrationSet {
  /** Lower-case letters. */
  readonly service: string;
  /** In the order in which they run. New ones are appended. */
  readonly migrations: readonly Migration[];
  /**
   * Steps that earlier versions recorded in place of the first migration. A database that has all steps of an entry has the first migration, when what
   * the entry adds is made as well: when it is opened for writing, the name of the first migration is recorded instead of theirs. That name must be
   * a new one.
   */
  readonly replaces?: readonly ReplacedSteps[];
}

/** Steps that the first migration of a {@link MigrationSet} replaces. */
export interface ReplacedSteps {
  /** The names of all of them, in their order. No two entries have a name in common. */
  readonly names: readonly string[];
  /**
   * What the first migration makes and the steps did not make. An addition whose name is recorded is made already; the others run in the transaction
   * that records the first migration.
   */
  readonly adds?: readonly Migration[];
  /** Changes rows of a database that had the steps, once, in the same transaction, after the additions. */
  readonly changeRows?: (db: Kysely<unknown>) => Promise<void>;
}

/** The database to migrate. */
export interface MigrationTarget {
  readonly db: Kysely<unknown>;
  /** Opens a separate connection for migrating; if undefined, `db` is used. */
  readonly openMigrationDb?: () => Kysely<unknown> | undefined;
  readonly kind: StoreKind;
  readonly prepareRead: (text: string) => PreparedRead;
  readonly location: string;
  readonly readOnly: boolean;
  /** Drops statements that were prepared for the old tables, if the engine caches any. */
  readonly reloadSchema?: (() => void) | undefined;
}

/**
 * Migrates the schema of each service, each in one transaction. Several processes may do so at the same time.
 * @throws StoreError `newer_schema` if a newer release has migrated the database, `older_schema` if it is read-only and has an older
 * schema, or has only some of the steps that the first migration replaces, `migration_failed`
 */
export async function migrate(target: MigrationTarget, sets: readonly MigrationSet[]): Promise<void> {
  for (const set of sets) await migrateService(target, set);
}

async function migrateService(target: MigrationTarget, set: MigrationSet): Promise<void> {
  const recorded = await executedMigrations(target, set);
  const replaced = set.replaces?.find(({ names }) => recorded.some((name) => names.includes(name)));
  if (replaced) refuseIncomplete(target, { set, replaced, recorded });
  const done = replaced ? withFirst(set, replaced, recorded) : recorded;
  refuseNewer(target, set, done);
  const isCurrent = set.migrations.every(({ name }) => done.includes(name));
  const isWhole = replaced === undefined || missingAdditions(replaced, recorded).length === 0;
  if (isCurrent && isWhole && (!replaced || target.readOnly)) return;
  if (target.readOnly) throw behind(target, set);
  await withMigrationDb(target, async (db) => {
    if (replaced)
      await recordFirst(db, { set, replaced, kind: target.kind }).catch((error: unknown) => {
        throw failed(target, set, error);
      });
    if (!isCurrent) await run(db, target, set);
  });
  target.reloadSchema?.();
}

/** Reads the applied migrations. It does not use the query builder, whose first use costs more than this query at every start. */
async function executedMigrations(
  { kind, prepareRead }: MigrationTarget,
  set: MigrationSet,
): Promise<readonly string[]> {
  const table = `${set.service}_migrations`;
  const findTable =
    kind === "sqlite"
      ? "select 1 from sqlite_schema where type = 'table' and name = ?"
      : "select 1 where to_regclass($1) is not null";
  if ((await prepareRead(findTable)(table)).length === 0) return [];
  const rows = await prepareRead(`select name from ${table}`)();
  return rows.map(([name]) => String(name));
}

function refuseNewer({ location }: MigrationTarget, set: MigrationSet, done: readonly string[]): void {
  const unknown = done.find((name) => !set.migrations.some((migration) => migration.name === name));
  if (unknown === undefined) return;
  throw new StoreError(
    "newer_schema",
    `${location} was written by a newer release (it knows ${set.service}/${unknown}): use that release or another database`,
  );
}

function behind({ location }: MigrationTarget, { service }: MigrationSet): StoreError {
  return new StoreError(
    "older_schema",
    `${location} was written by an older release (${service}): open it once for writing, which migrates it`,
  );
}

/** A set, and the steps of it that a database has in place of the first migration. */
interface Replacing {
  readonly set: MigrationSet;
  readonly replaced: ReplacedSteps;
}

function refuseIncomplete(
  { location }: MigrationTarget,
  { set: { service }, replaced: { names }, recorded }: Replacing & { readonly recorded: readonly string[] },
): void {
  const missing = names.find((name) => !recorded.includes(name));
  if (missing === undefined) return;
  throw new StoreError(
    "older_schema",
    `${location} was written by a version that is too old (it lacks ${service}/${missing}): open it once for writing with the ` +
      `last version that has the step ${service}/${names.at(-1)}, and then with this one`,
  );
}

/** What is recorded after {@link recordFirst}. */
function withFirst({ migrations }: MigrationSet, replaced: ReplacedSteps, recorded: readonly string[]) {
  const first = migrations.slice(0, 1).map(({ name }) => name);
  const gone = namesIn(replaced);
  return [...first, ...recorded.filter((name) => !gone.includes(name))];
}

function namesIn({ names, adds = [] }: ReplacedSteps): readonly string[] {
  return [...names, ...adds.map(({ name }) => name)];
}

function missingAdditions({ adds = [] }: ReplacedSteps, recorded: readonly string[]): readonly Migration[] {
  return adds.filter(({ name }) => !recorded.includes(name));
}

/** Records the first migration in the row of one replaced step. If another process has just done so, there is no such row, and nothing changes. */
async function recordFirst(
  db: Kysely<unknown>,
  { set: { service, migrations }, replaced, kind }: Replacing & { readonly kind: StoreKind },
): Promise<void> {
  const table = sql.table(`${service}_migrations`);
  const [first, last] = [migrations[0]?.name, replaced.names.at(-1)];
  await db.transaction().execute(async (transaction) => {
    const { numAffectedRows } = await sql`update ${table} set name = ${first} where name = ${last}`.execute(
      transaction,
    );
    if (numAffectedRows === 0n) return;
    const { rows } = await sql<{ name: string }>`select name from ${table}`.execute(transaction);
    const missing = missingAdditions(
      replaced,
      rows.map(({ name }) => name),
    );
    for (const addition of missing) await addition.up(transaction, kind);
    await sql`delete from ${table} where name in (${sql.join(namesIn(replaced))})`.execute(transaction);
    await replaced.changeRows?.(transaction);
  });
}

async function withMigrationDb(target: MigrationTarget, work: (db: Kysely<unknown>) => Promise<void>): Promise<void> {
  const own = target.openMigrationDb?.();
  try {
    await work(own ?? target.db);
  } finally {
    await own?.destroy();
  }
}

async function run(db: Kysely<unknown>, target: MigrationTarget, set: MigrationSet): Promise<void> {
  const { service, migrations } = set;
  const early = migrations.find(({ name }, index) => index > 0 && name <= (migrations[index - 1]?.name ?? ""));
  if (early)
    throw new TypeError(
      `the migration ${service}/${early.name} has to sort after the one before it: give it the next number`,
    );
  const up = (step: Migration) => (trx: Kysely<unknown>) => step.up(trx, target.kind);
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () => Object.fromEntries(migrations.map((step) => [step.name, { up: up(step) }])),
    },
    migrationTableName: `${service}_migrations`,
    migrationLockTableName: `${service}_migrations_lock`,
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw failed(target, set, error);
}

function failed({ location }: MigrationTarget, { service }: MigrationSet, cause: unknown): StoreError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StoreError("migration_failed", `cannot migrate ${service} in ${location}: ${reason}`, { cause });
}
