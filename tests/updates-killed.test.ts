/**
 * `plimsoll db update` killed again and again at moments of chance while it reads and stores a feed: what is stored is always one
 * state of the feed, whole, never an older one than was stored before, and the next update begins at once.
 */
import { type MatcherTables, matcherMigrations } from "@plimsoll/matcher";
import { openStore, type Store } from "@plimsoll/store";
import { engineTitle, type FeedServer, startFeedServer, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { type Ended, KilledProgram, killsTimeLimit, plimsollWords } from "./support/killed-program.ts";
import { debianTracker } from "./support/sample-image.ts";
import { seededRandom } from "./support/seeded-random.ts";
import { trackerPath } from "./support/tracker-feed.ts";

const seed = Number(process.env.PLIMSOLL_TEST_SEED ?? 20_261_121);
const kills = Number(process.env.PLIMSOLL_TEST_KILLS ?? 10);
/** As many vulnerabilities has each state of the feed. */
const size = 3_000;

const rows = testEngines
  .filter(({ shared }) => shared)
  .map((engine) => {
    const times = Math.ceil(kills * (engine.name === "PostgreSQL" ? 0.1 : 0.25));
    return { engine, times, title: engineTitle(engine) };
  });

describe.each(rows)("plimsoll db update on $title", ({ engine, times }) => {
  it.skipIf(engine.skip !== undefined)(
    `leaves the feed whole when it is killed again and again (seed ${seed})`,
    async () => {
      const received = { tell: () => {} };
      await using server = await startFeedServer(() => received.tell());
      await using database = await engine.create();
      await using store = await openStore<MatcherTables>(database.location, { migrations: [matcherMigrations] });
      const world = new Updates({ store, server, location: database.location, received });
      const random = seededRandom(seed);
      await world.updateWhole();
      const usualMs = await world.updateWhole();

      while (world.killed < times) await world.update(random() * usualMs);
      await world.updateWhole();

      expect(await store.db.selectFrom("update_operation").select("ref").execute()).toHaveLength(world.stored);
      if (store.kind === "postgres") expect(await countStaged(store)).toEqual([0, 0]); // SQLite's are gone with the process
    },
    killsTimeLimit(times),
  );
});

async function countStaged({ db }: Store<MatcherTables>): Promise<readonly number[]> {
  const counts = (["advisory_staging", "text_staging"] as const).map(async (table) => {
    const rows = await db.selectFrom(table).select("run").execute();
    return rows.length;
  });
  return Promise.all(counts);
}

interface UpdatesOptions {
  readonly store: Store<MatcherTables>;
  readonly server: FeedServer;
  readonly location: string;
  /** Told when the feed is asked for. */
  readonly received: { tell: () => void };
}

/** A feed that has another state before each update. */
class Updates {
  readonly #options: UpdatesOptions;
  /** The state that the feed has, and the one that is stored. */
  #published = 0;
  #version = 0;
  killed = 0;
  /** How many states were stored. */
  stored = 0;

  constructor(options: UpdatesOptions) {
    this.#options = options;
  }

  /** @returns how long it took from the request for the feed on, in milliseconds */
  async updateWhole(): Promise<number> {
    let askedMs = 0;
    const { code, stderr } = await this.#run(() => {
      askedMs = performance.now();
    });
    expect([code, stderr]).toEqual([0, expect.not.stringContaining("another process")]);
    expect(this.#version).toBe(this.#published);
    return performance.now() - askedMs;
  }

  /** An update that is killed so long after it has asked for the feed, unless it has ended before. */
  async update(delayMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const { code, wasKilled, stderr } = await this.#run((program) => {
      timer = setTimeout(() => program.kill(), delayMs);
    });
    clearTimeout(timer);
    if (wasKilled) this.killed++;
    else expect([code, stderr]).toEqual([0, expect.not.stringContaining("another process")]);
  }

  async #run(onAsked: (program: KilledProgram) => void): Promise<Ended> {
    const { server, location, received } = this.#options;
    const version = ++this.#published;
    const feed = { version, names: Array.from({ length: size }, (_, number) => `CVE-${version}-${number}`) };
    const sources = Object.fromEntries(feed.names.map((name) => [`app-${name}`, { [name]: {} }]));
    server.answer(trackerPath, { body: debianTracker(sources), etag: `"${version}"` });
    const words = ["db", "update", "--db", location, "--feed", `debian=${new URL(trackerPath, server.url)}`];
    const program = new KilledProgram([...plimsollWords, ...words]);
    received.tell = () => onAsked(program);
    const ended = await program.ended;
    await this.#check();
    return ended;
  }

  /** All of one state is there, and nothing else. */
  async #check(): Promise<void> {
    const { db } = this.#options.store;
    const advisories = await db
      .selectFrom("advisory")
      .innerJoin("updater", "updater.name", "advisory.updater")
      .select("advisory.name")
      .whereRef("valid_from", "<=", "updater.seq") // what an update has begun or ended is not shown before it is whole
      .where(({ or, eb }) => or([eb("valid_to", "is", null), eb("valid_to", ">", eb.ref("updater.seq"))]))
      .execute();
    const versions = new Set(advisories.map(({ name }) => Number(name.split("-")[1])));
    if (advisories.length === 0) return expect(this.#version).toBe(0);
    expect([versions.size, advisories.length]).toEqual([1, size]);
    const [version = 0] = versions;
    expect([this.#version, this.#published]).toContain(version);
    if (version !== this.#version) this.stored++;
    this.#version = version;
  }
}
