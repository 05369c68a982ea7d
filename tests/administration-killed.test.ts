/**
 * Migrations, `plimsoll admin backup` and `plimsoll admin restore`, killed again and again at moments of chance: the next run ends what
 * was begun, nothing is lost, and an earlier backup stays whole until the next one is complete.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { openStore } from "@plimsoll/store";
import { buildImage, buildLayer, engineTitle, testEngines } from "@plimsoll/testing";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { environmentName } from "../packages/server/src/config/settings.ts";
import { allMigrations } from "./support/all-migrations.ts";
import { killsTimeLimit, plimsollWords, programEnvironment, programWords } from "./support/killed-program.ts";
import { restoreOlder } from "./support/older-database.ts";
import { pushImage } from "./support/push-image.ts";
import { firstUser, startRegistry } from "./support/registry-process.ts";
import { realS3Settings } from "./support/s3-settings.ts";
import { seededRandom } from "./support/seeded-random.ts";
import type { SettingTexts } from "./support/service-process.ts";
import { tempFolder } from "./support/temp-folder.ts";

const seed = Number(process.env.PLIMSOLL_TEST_SEED ?? 20_261_129);
const kills = Number(process.env.PLIMSOLL_TEST_KILLS ?? 10);
const images = 12;
const basic = `Basic ${btoa(`${firstUser.username}:${firstUser.password}`)}`;
const migrateWords = programWords(new URL("support/migrate-program.ts", import.meta.url));

const rows = testEngines
  .filter(({ shared }) => shared)
  .map((engine) => {
    const isPostgres = engine.name === "PostgreSQL";
    const times = Math.ceil(kills * (isPostgres ? 0.1 : 0.25));
    return { engine, times, settings: (isPostgres && realS3Settings()) || {}, title: engineTitle(engine) };
  });

/** Runs a program of Node. @param afterMs when it is killed, unless it ends before @returns whether it was killed */
async function run(words: readonly string[], settings: SettingTexts, afterMs?: number): Promise<boolean> {
  const given = Object.entries(settings).map(([name, value]) => [environmentName(name), value]);
  const child = spawn(process.execPath, words, {
    env: { ...programEnvironment, ...Object.fromEntries(given) },
    stdio: ["ignore", "ignore", "pipe"],
    ...(afterMs !== undefined && { timeout: Math.ceil(afterMs), killSignal: "SIGKILL" }),
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const [code, signal] = await once(child, "close");
  if (signal !== "SIGKILL" && code !== 0) throw new Error(`${words.join(" ")}: ${code} ${stderr}`);
  return signal === "SIGKILL";
}

interface Program {
  readonly words: readonly string[];
  readonly settings: SettingTexts;
}

/** How a program is killed again and again. */
interface Kills {
  readonly times: number;
  /** The duration of the program at first; later that of its last run that ended. */
  readonly usualMs: number;
  /** The least part of its usual duration after which it is killed. */
  readonly from: number;
  /** Called after each run. */
  afterEach(run: { readonly wasKilled: boolean }): Promise<void>;
}

/** Runs a program again and again, at moments of chance, until it was killed a number of times. */
async function runKilled(program: () => Program, { times, usualMs, from, afterEach }: Kills): Promise<void> {
  const random = seededRandom(seed);
  let lastMs = usualMs;
  for (let killed = 0; killed < times; ) {
    const { words, settings } = program();
    const startedAt = performance.now();
    const wasKilled = await run(words, settings, (from + (1 - from) * random()) * lastMs);
    if (wasKilled) killed++;
    else lastMs = performance.now() - startedAt;
    await afterEach({ wasKilled });
  }
}

/** The number of rows of each table. */
async function countRows(location: string): Promise<Readonly<Record<string, number>>> {
  await using store = await openStore<object>(location, { migrations: allMigrations });
  const tables = await store.db.introspection.getTables();
  const counts = tables.map(async ({ name }) => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(store.db);
    return [name, Number(rows[0]?.count)] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

/** Restores a backup; what was killed after its last step is there already. @returns whether it was killed */
async function runOnce({ words, settings }: Program, afterMs?: number): Promise<boolean> {
  return run(words, settings, afterMs).catch(({ message }: Error) => {
    expect(message).toMatch(/already (?:exists|holds)|is not empty|name a/);
    return false;
  });
}

describe.each(rows)("on $title", ({ engine, times, settings }) => {
  it.skipIf(engine.skip !== undefined)(
    `migrations that are killed are ended by the next process (seed ${seed})`,
    async () => {
      await using whole = await engine.create();
      await restoreOlder(whole);
      const expected = await countRows(whole.location);
      await using resources = new AsyncDisposableStack();
      const olderDatabase = async () => {
        const database = resources.use(await engine.create());
        await restoreOlder(database);
        return database.location;
      };

      let location = await olderDatabase();
      const migrate = () => ({ words: [...migrateWords, location], settings: {} });
      await runKilled(migrate, {
        ...{ times, usualMs: 1_000, from: 0.3 },
        async afterEach({ wasKilled }) {
          if (wasKilled) return;
          expect(await countRows(location)).toEqual(expected);
          location = await olderDatabase();
        },
      });
      await run(migrate().words, {});

      expect(await countRows(location)).toEqual(expected);
    },
    killsTimeLimit(times),
  );

  it.skipIf(engine.skip !== undefined)(
    `backups and restores that are killed lose nothing (seed ${seed})`,
    async () => {
      using folder = tempFolder();
      await using database = await engine.create();
      const place = { ...settings, data: join(folder.path, "data"), database: database.location };
      await using registry = await startRegistry(folder.path, place);
      const push = async (reference: string) => {
        const image = buildImage({ layers: [await buildLayer({ "etc/motd": reference })] });
        await pushImage(`http://${registry.host}/v2/alice/app`, basic, { image, reference });
      };
      for (let n = 0; n < images; n++) await push(`v${n}`);
      const backup = join(folder.path, "backup");
      const back = { words: [...plimsollWords, "admin", "backup", backup], settings: place };
      const verify = () => run([...plimsollWords, "admin", "verify", "--backup", backup], place);
      await run(back.words, place);
      let pushed = images;

      await runKilled(() => back, {
        ...{ times, usualMs: 2_000, from: 0 },
        async afterEach() {
          await push(`v${pushed++}`);
          expect(await verify()).toBe(false); // the last complete backup is whole
        },
      });
      await run(back.words, place);
      expect(await verify()).toBe(false);

      await using target = await engine.create();
      const home = { data: join(folder.path, "restored"), database: target.location };
      const restore = { words: [...plimsollWords, "admin", "restore", backup], settings: home };
      const random = seededRandom(seed);
      let isRestored = false;
      for (let killed = 0; killed < times && !isRestored; killed++) {
        isRestored = !(await runOnce(restore, (0.2 + 0.7 * random()) * 1_500));
      }
      if (!isRestored) await runOnce(restore);
      expect(await run([...plimsollWords, "admin", "verify"], home)).toBe(false);
      const [kept, restored] = [await countRows(database.location), await countRows(target.location)];
      for (const table of ["tag", "image_manifest", "blob", "account", "image_repository"]) {
        expect([table, restored[table]]).toEqual([table, kept[table]]);
      }
    },
    killsTimeLimit(times),
  );
});
