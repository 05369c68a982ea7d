/** A registry whose blob store loses and damages blobs, and which is killed while clients push them again: in the end all is whole. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type RegistryTables, registryMigrations } from "@plimsoll/registry";
import { openStore } from "@plimsoll/store";
import { engineTitle, startS3Server, testEngines } from "@plimsoll/testing";
import { describe, expect, it, onTestFailed } from "vitest";
import { killsTimeLimit } from "./support/killed-program.ts";
import { contentOf, imageOf, PushClient } from "./support/push-client.ts";
import { type RegistryProcess, startRegistry } from "./support/registry-process.ts";
import { s3Settings } from "./support/s3-settings.ts";
import { seededRandom } from "./support/seeded-random.ts";
import type { SettingTexts } from "./support/service-process.ts";
import { type TempFolder, tempFolder } from "./support/temp-folder.ts";

const seed = Number(process.env.PLIMSOLL_TEST_SEED ?? 20_261_129);
/** How often each registry is killed: less than in other tests, since the places where a push can be cut are few. */
const kills = Math.max(2, Math.ceil(Number(process.env.PLIMSOLL_TEST_KILLS ?? 10) / 20));
/** It is killed after between 1 and so many events: pieces of blobs that are sent, and answers to changes. */
const mostEvents = 25;

/** A blob store that tests reach behind the registry's back, by keys. */
interface OpenStore extends AsyncDisposable {
  readonly settings: SettingTexts;
  get(key: string): Promise<Uint8Array>;
  /** @param bytes undefined: removes it */
  set(key: string, bytes: Uint8Array | undefined): Promise<void>;
}

const stores: Readonly<Record<string, (folder: TempFolder) => Promise<OpenStore>>> = {
  async files(folder) {
    const at = (key: string) => join(folder.path, "data", "blobs", key);
    return {
      settings: {},
      get: (key) => readFile(at(key)),
      set: (key, bytes) => (bytes === undefined ? rm(at(key)) : writeFile(at(key), bytes)),
      async [Symbol.asyncDispose]() {},
    };
  },
  async S3() {
    const server = await startS3Server();
    const objects = server.objects as Map<string, Uint8Array>;
    return {
      settings: s3Settings({ ...server, prefix: "" }),
      get: async (key) => objects.get(key) ?? new Uint8Array(),
      set: async (key, bytes) => void (bytes === undefined ? objects.delete(key) : objects.set(key, bytes)),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
};

/** What a reader notices. Other bytes of the same length are found by scans and `admin verify`. */
const damages: readonly ((bytes: Uint8Array) => Uint8Array | undefined)[] = [
  () => undefined,
  () => new Uint8Array(),
  (bytes) => bytes.slice(0, bytes.length / 2),
];

const layers = Array.from({ length: 3 }, (_, number) => contentOf(`layer ${number} `.repeat(5000)));
const config = contentOf("{}");
const image = imageOf(config, layers);
const keys = image.blobs.map(({ digest }) => `blobs/sha256/${digest.slice(7, 9)}/${digest.slice(7)}`);

const rows = testEngines
  .filter(({ shared }) => shared)
  .flatMap((engine) =>
    Object.entries(stores).map(([name, open]) => ({ engine, open, title: `${name}, ${engineTitle(engine)}` })),
  );

describe.each(rows)("damaged blobs in $title", ({ engine, open }) => {
  it.skipIf(engine.skip !== undefined)(
    `are whole again after pushes that are killed (seed ${seed})`,
    async () => {
      using folder = tempFolder();
      await using database = await engine.create();
      await using store = await open(folder);
      await using registry = await startRegistry(folder.path, { database: database.location, ...store.settings });
      onTestFailed(() => void process.stderr.write(`${registry.process.log.slice(-30).join("\n")}\n`));
      const random = seededRandom(seed);
      const pick = <T>(those: readonly T[]) => those[Math.floor(random() * those.length)] as T;
      const reaper = new Reaper(registry);
      const client = new PushClient(`${registry.process.url}/v2/alice/app/`, registry.token, () => reaper.event());
      await client.push(image, { tag: "1" });

      for (let kill = 0; kill < kills; kill++) {
        const key = pick(keys);
        await store.set(key, pick(damages)(await store.get(key).catch(() => new Uint8Array(1))));
        await reaper.killAfter(1 + Math.floor(random() * mostEvents), () => heal(client));
      }
      await heal(client);
      const [key = "", digest = ""] = [keys[0], image.blobs[0]?.digest];
      const isHealed = (line: string) => line.includes("blob_healed") && line.includes(digest);
      const healedBefore = registry.process.log.filter(isHealed).length;
      await store.set(key, undefined);
      await heal(client);

      await expect.poll(() => registry.process.log.filter(isHealed)).toHaveLength(healedBefore + 1);
      expect(await client.pull("1")).toBe(image.digest);
      expect(registry.process.crashes).toEqual([]);
      await using db = await openStore<RegistryTables>(database.location, { migrations: [registryMigrations] });
      expect(await db.db.selectFrom("blob").select("digest").where("fault", "is not", null).execute()).toEqual([]);
      for (const [at, { digest }] of image.blobs.entries()) {
        expect(contentOf(await store.get(keys[at] as string)).digest).toBe(digest);
      }
    },
    killsTimeLimit(kills),
  );
});

/** Pulls, and pushes all again as long as that fails, as an ordinary client does. */
async function heal(client: PushClient): Promise<void> {
  const pull = () => client.pull("1").catch(() => undefined);
  await expect
    .poll(async () => (await pull()) ?? (await client.push(image, { tag: "1" }).then(pull)))
    .toBe(image.digest);
}

/** Kills a registry while a client works, and starts it again. */
class Reaper {
  readonly #registry: RegistryProcess;
  #left = Number.POSITIVE_INFINITY;
  #death: Promise<void> | undefined;

  constructor(registry: RegistryProcess) {
    this.#registry = registry;
  }

  event(): void {
    if (--this.#left === 0) this.#death = this.#registry.process.restart();
  }

  /** @param work fails only because the registry is killed */
  async killAfter(events: number, work: () => Promise<void>): Promise<void> {
    this.#death = undefined;
    this.#left = events;
    await work().catch((error) => {
      if (this.#death === undefined) throw error;
    });
    this.#left = Number.POSITIVE_INFINITY;
    await (this.#death ?? this.#registry.process.restart());
    await this.#registry.process.listening();
  }
}
