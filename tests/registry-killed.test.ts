/**
 * `plimsoll serve` killed in the middle of pushes, tag moves, deletions and collections, again and again: no tag points at what
 * is not there, nothing is lost that was acknowledged, and what namespaces use is counted right.
 */
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type RegistryTables, registryMigrations } from "@plimsoll/registry";
import { openStore, type Store } from "@plimsoll/store";
import { engineTitle, type TestEngine, testEngines } from "@plimsoll/testing";
import { sql } from "kysely";
import { describe, expect, it, onTestFailed } from "vitest";
import { recountUsage } from "../packages/registry-api/src/fixtures/recount-usage.ts";
import { killsTimeLimit } from "./support/killed-program.ts";
import { ConnectionBroken, PushClient } from "./support/push-client.ts";
import { type RegistryProcess, startRegistry } from "./support/registry-process.ts";
import { seededRandom } from "./support/seeded-random.ts";
import { TagChanger } from "./support/tag-changer.ts";
import { tempFolder } from "./support/temp-folder.ts";

const seed = Number(process.env.PLIMSOLL_TEST_SEED ?? 20_261_121);
/** How often SQLite's is killed; PostgreSQL's a little less than a sixth of it. */
const kills = Number(process.env.PLIMSOLL_TEST_KILLS ?? 10);
/** It is killed after between 1 and so many events: pieces of blobs that are sent, and answers to changes. */
const mostEvents = 80;
/** So many of its lives end while it collects garbage, whatever else it does. */
const collectingLives = 0.25;
const day = 86_400_000;

/** So many registries are killed at the same time: most of it is waiting for one to start. */
const registriesAtOnce = 2;

const engines = testEngines.filter(({ shared }) => shared);
const rows = engines.map((engine) => {
  const killed = engine.name === "PostgreSQL" ? Math.ceil(kills * 0.15) : kills;
  return { engine, title: engineTitle(engine), killed };
});

describe.each(rows)("registries on $title", ({ engine, killed }) => {
  it.skipIf(engine.skip !== undefined)(
    `lose nothing when they are killed again and again (seed ${seed})`,
    async () => {
      const worlds = Array.from({ length: registriesAtOnce }, (_, number) => {
        const times = Math.ceil((killed - number) / registriesAtOnce);
        return killAgainAndAgain(engine, { seed: seed + number, times });
      });

      const cutCollections = (await Promise.all(worlds)).reduce((sum, count) => sum + count, 0);

      if (killed >= 10) expect(cutCollections).toBeGreaterThan(1);
    },
    killsTimeLimit(killed),
  );
});

/** @returns how many collections of garbage were cut */
async function killAgainAndAgain(
  engine: TestEngine,
  { seed, times }: { readonly seed: number; readonly times: number },
): Promise<number> {
  using folder = tempFolder();
  await using database = await engine.create();
  await using registry = await startRegistry(folder.path, { database: database.location });
  onTestFailed(() => void process.stderr.write(`${registry.process.log.slice(-30).join("\n")}\n`));
  await using store = await openStore<RegistryTables>(database.location, { migrations: [registryMigrations] });
  await store.db.updateTable("account").set({ tag_expiration_s: 0 }).execute(); // what is deleted goes soon
  const world = new KilledWorld(registry, store, seededRandom(seed));

  for (let kill = 0; kill < times; kill++) await world.live();
  await world.settle();

  expect(registry.process.crashes).toEqual([]);
  expect(await filesOf(folder.path)).toEqual(await linkedBlobs(store));
  return world.cutCollections;
}

/** A registry, four clients that change tags in two of its repositories, and a reaper that kills it. */
class KilledWorld {
  readonly #registry: RegistryProcess;
  readonly #store: Store<RegistryTables>;
  readonly #random: () => number;
  readonly #changers: readonly TagChanger[];
  #left = Number.POSITIVE_INFINITY;
  #death = Promise.withResolvers<void>();
  #isAlive = false;
  /** How often it was killed while it collected garbage. */
  cutCollections = 0;

  constructor(registry: RegistryProcess, store: Store<RegistryTables>, random: () => number) {
    this.#registry = registry;
    this.#store = store;
    this.#random = random;
    this.#changers = ["a", "b", "c", "d"].map((name, number) => {
      const [own, other] = number % 2 === 0 ? ["alice/one", "alice/two"] : ["alice/two", "alice/one"];
      const client = new PushClient(`${registry.process.url}/v2/${own}/`, registry.token, () => this.#event());
      return new TagChanger({ client, name, mountFrom: other ?? "", random });
    });
  }

  /** One life, until it is killed and started again. */
  async live(): Promise<void> {
    this.#death = Promise.withResolvers();
    if (this.#random() < collectingLives) {
      const isOver = async () => (await this.#isCollecting("at work")) || !(await this.#isCollecting());
      await expect.poll(isOver, { interval: 1 }).toBe(true);
      this.#kill();
    } else {
      await this.#registry.process.listening();
      this.#left = 1 + Math.floor(this.#random() * mostEvents);
      this.#isAlive = true;
      await Promise.all(this.#changers.map((changer) => this.#use(changer)));
    }
    await this.#death.promise;
    await this.#expectExactUsage();
  }

  /** Lets it live, and collect all there is to collect. */
  async settle(): Promise<void> {
    this.#left = Number.POSITIVE_INFINITY;
    await this.#registry.process.listening();
    for (const changer of this.#changers) await changer.check();
    await this.#registry.process.restart(() => letDaysPass(this.#store));
    await expect.poll(() => this.#hasCollected(), { timeout: 120_000 }).toBe(true);
    await this.#registry.process.listening();
    for (const changer of this.#changers) await changer.check();
    await this.#expectExactUsage();
  }

  async #use(changer: TagChanger): Promise<void> {
    try {
      await changer.check();
      while (this.#isAlive) await changer.change();
    } catch (error) {
      if (!(error instanceof ConnectionBroken)) throw error;
    }
  }

  #event(): void {
    if (--this.#left === 0) this.#kill();
  }

  #kill(): void {
    this.#isAlive = false;
    const restarted = this.#registry.process.restart(async () => {
      if (await this.#isCollecting("at work")) this.cutCollections += 1;
      await letDaysPass(this.#store);
    });
    restarted.then(this.#death.resolve, this.#death.reject);
  }

  /** Whether a collection is due or at work. */
  async #isCollecting(how: "at all" | "at work" = "at all"): Promise<boolean> {
    const { rows } = await sql<{ owner: string | null; due_at: number }>`
      select owner, due_at from jobs where kind = 'registry.collect-garbage'`.execute(this.#store.db);
    return rows.some(({ owner, due_at }) => owner !== null || (how === "at all" && Number(due_at) <= Date.now()));
  }

  /** Whether a collection has ended well since days passed. One that failed waits for its next attempt: it is not due, and not done. */
  async #hasCollected(): Promise<boolean> {
    const { rows } = await sql<{ value: string }>`
      select value from registry_fact where name = 'last-collection-at'`.execute(this.#store.db);
    return rows.some(({ value }) => value !== "0");
  }

  async #expectExactUsage(): Promise<void> {
    const { kept, counted } = await recountUsage(this.#store.db);
    expect(kept).toEqual(counted);
  }
}

/** Three days pass while no server runs: what is to become garbage is garbage, and a collection is due. */
async function letDaysPass({ db }: Store<RegistryTables>): Promise<void> {
  const passed = 3 * day;
  await db
    .updateTable("repository_blob")
    .set(({ eb }) => ({ linked_at: eb("linked_at", "-", passed) }))
    .execute();
  await db
    .updateTable("image_manifest")
    .set(({ eb }) => ({ kept_until: eb("kept_until", "-", passed) }))
    .execute();
  await db
    .updateTable("upload")
    .set(({ eb }) => ({ updated_at: eb("updated_at", "-", passed) }))
    .execute();
  await db
    .updateTable("tag")
    .set(({ eb }) => ({ end_at: eb("end_at", "-", passed) }))
    .execute();
  await sql`update registry_fact set value = '0' where name = 'last-collection-at'`.execute(db);
  // The turns of three days gave lost attempts back: kills in a row do not use up those of the last collection.
  await sql`update jobs set due_at = due_at - ${passed}, turn = due_at - ${passed}, owner = null, attempts = 0`.execute(
    db,
  );
}

/** The blobs in a folder; there is no folder before the first one. */
async function filesOf(folder: string): Promise<readonly string[]> {
  const place = join(folder, "data", "blobs", "blobs");
  if (!existsSync(place)) return [];
  const files = await readdir(place, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .map(({ name }) => `sha256:${name}`)
    .sort();
}

async function linkedBlobs({ db }: Store<RegistryTables>): Promise<readonly string[]> {
  const rows = await db.selectFrom("repository_blob").select("digest").distinct().execute();
  return rows.map(({ digest }) => digest).sort();
}
