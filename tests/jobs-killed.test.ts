/** Two workers on one database that are killed again and again while they run jobs: each job is done once, and none is lost. */
import { countJobs, enqueueJob, openStore, type Store, systemTime } from "@plimsoll/store";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { KilledProgram, killsTimeLimit, programWords } from "./support/killed-program.ts";
import { type NoteTables, noteJob, noteMigrations } from "./support/note-jobs.ts";
import { seededRandom } from "./support/seeded-random.ts";

const seed = Number(process.env.PLIMSOLL_TEST_SEED ?? 20_261_121);
const kills = Number(process.env.PLIMSOLL_TEST_KILLS ?? 10);
/** A worker is killed when it has begun between 1 and so many jobs. */
const mostJobs = 20;
const words = programWords(new URL("./support/job-program.ts", import.meta.url));

const rows = testEngines
  .filter(({ shared }) => shared)
  .map((engine) => {
    const times = Math.ceil(kills * (engine.name === "PostgreSQL" ? 0.3 : 0.5));
    return { engine, times, title: engineTitle(engine) };
  });

describe.each(rows)("workers on $title", ({ engine, times }) => {
  it.skipIf(engine.skip !== undefined)(
    `do each job once when they are killed again and again (seed ${seed})`,
    async () => {
      await using database = await engine.create();
      await using store = await openStore<NoteTables>(database.location, { migrations: [noteMigrations] });
      const world = new Workers(store, database.location, seededRandom(seed));

      const lives = [0, 1].map((number) => world.killAgainAndAgain(Math.ceil((times - number) / 2)));
      await Promise.all(lives);
      await world.finish();

      expect(world.killed).toBe(times);
      expect(await countJobs(store.db)).toEqual([]);
      const notes = await store.db.selectFrom("note").select("id").orderBy("id").execute();
      expect(notes.map(({ id }) => id)).toEqual(world.enqueued.toSorted());
    },
    killsTimeLimit(times),
  );
});

/** The workers, and the jobs that they were given. */
class Workers {
  readonly enqueued: string[] = [];
  killed = 0;
  readonly #store: Store<NoteTables>;
  readonly #location: string;
  readonly #random: () => number;

  constructor(store: Store<NoteTables>, location: string, random: () => number) {
    this.#store = store;
    this.#location = location;
    this.#random = random;
  }

  async killAgainAndAgain(times: number): Promise<void> {
    for (let life = 0; life < times; life++) await this.#live(1 + Math.floor(this.#random() * mostJobs));
  }

  /** A life that ends in the middle of the job of that number. */
  async #live(jobs: number): Promise<void> {
    const worker = new KilledProgram([...words, this.#location, String(jobs)]);
    let left = jobs;
    worker.child.on("message", () => {
      if (--left === 0) worker.kill();
    });
    await this.#enqueue(jobs + mostJobs); // of these the other one takes some
    const { wasKilled, stderr } = await worker.ended;
    expect([wasKilled, stderr]).toEqual([true, ""]);
    this.killed++;
  }

  async #enqueue(count: number): Promise<void> {
    const { clock } = systemTime;
    await this.#store.transaction(async (transaction) => {
      for (let number = 0; number < count; number++) {
        const id = await enqueueJob<NoteTables>(transaction, noteJob.of(null), clock);
        if (id !== undefined) this.enqueued.push(id);
      }
    });
  }

  /** Lets a worker live until all is done. */
  async finish(): Promise<void> {
    const worker = new KilledProgram([...words, this.#location]);
    await expect.poll(() => countJobs(this.#store.db), { timeout: 120_000 }).toEqual([]);
    worker.child.kill();
    expect(await worker.ended).toMatchObject({ code: 0 });
  }
}
