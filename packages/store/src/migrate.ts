import type { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { StoreError } from "./errors.ts";
import type { PreparedRead, StoreKind } from "./store.ts";

/** One step of a schema. Names sort in the order of the steps (`0001-…`) and never change once released. */
export interface Migration {
  readonly name: string;
  up(db: Kysely<unknown>, kind: StoreKind): Promise<void>;
}

/** The schema of one service. Applied steps are recorded in its table `<service>_migrations`. */
export interface MigrationSet {
  /** Lower-case letters. */
  readonly service: string;
  readonly migrations: readonly Migration[];
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
 * schema, `migration_failed`
 */
export async function migrate(target: MigrationTarget, sets: readonly MigrationSet[]): Promise<void> {
  for (const set of sets) {
    const done = await executedMigrations(target, set);
    const known = set.migrations.map(({ name }) => name);
    refuseNewer(target, set, done);
    if (known.every((name) => done.includes(name))) continue;
    if (target.readOnly) throw behind(target, set);
    await run(target, set);
    target.reloadSchema?.();
  }
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

async function run(target: MigrationTarget, set: MigrationSet): Promise<void> {
  const own = target.openMigrationDb?.();
  try {
    await runIn(own ?? target.db, target, set);
  } finally {
    await own?.destroy();
  }
}

async function runIn(
  db: Kysely<unknown>,
  { kind, location }: MigrationTarget,
  { service, migrations }: MigrationSet,
): Promise<void> {
  const steps = migrations.map(({ name, up }) => [name, { up: (trx: Kysely<unknown>) => up(trx, kind) }] as const);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => Object.fromEntries(steps) },
    migrationTableName: `${service}_migrations`,
    migrationLockTableName: `${service}_migrations_lock`,
  });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const reason = error instanceof Error ? error.message : String(error);
  throw new StoreError("migration_failed", `cannot migrate ${service} in ${location}: ${reason}`, { cause: error });
}
