/**
 * `plimsoll serve` on a PostgreSQL server that is restarted, crashes and ends connections while 50 clients push, pull and
 * ask: no answer but the expected ones and 503 in the API's own form, no crash, and nothing lost that was acknowledged.
 */
import { execFile } from "node:child_process";
import { chmod } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { expect, it } from "vitest";
import { contentOf, PushClient } from "./support/push-client.ts";
import { startRegistry } from "./support/registry-process.ts";
import { findFreePort } from "./support/service-process.ts";
import { tempFolder } from "./support/temp-folder.ts";

const run = promisify(execFile);
const script = fileURLToPath(new URL("../scripts/start-postgres.sh", import.meta.url));
const hasPostgres = process.env.PLIMSOLL_TEST_POSTGRES !== undefined;
const outages = Number(process.env.PLIMSOLL_TEST_OUTAGES ?? 6);
const clients = 50;
/** No answer may take longer, whatever the database does. */
const patienceMs = 30_000;
const mediaType = "application/vnd.oci.image.manifest.v1+json";
const config = contentOf("{}");

it.skipIf(!hasPostgres)(
  `a registry loses nothing while its PostgreSQL server goes away ${outages} times under ${clients} clients`,
  async () => {
    using folder = tempFolder();
    using cluster = tempFolder();
    await chmod(cluster.path, 0o755);
    await using server = await startServer(cluster.path);
    await using registry = await startRegistry(folder.path, { database: server.location });
    const load = new AbortController();
    const world = new World(`${registry.process.url}/v2/alice/kept/`, registry.token);
    await world.pushFirst();

    const working = Array.from({ length: clients }, (_, number) => world.work(number, load.signal));
    for (let outage = 0; outage < outages; outage++) {
      await world.progress(clients);
      await server.fail(outage);
    }
    await world.progress(clients);
    load.abort();
    await Promise.all(working);

    expect(registry.process.crashes).toEqual([]);
    expect(world.unexpected).toEqual([]);
    expect(world.unavailable).toBeGreaterThan(0);
    await world.checkAcknowledged();
  },
  600_000,
);

/** A server of its own, which the test takes away. */
async function startServer(folder: string) {
  const port = String(await findFreePort());
  const act = async (...action: string[]) => (await run("sh", [script, folder, port, ...action])).stdout.trim();
  const location = await act();
  const failures = [
    async () => void (await act("stop")),
    async () => void (await act("break")),
    () => endConnections(location),
  ];
  return {
    location,
    /** Ends the server or the connections, one way after the other, and starts it again. */
    async fail(outage: number): Promise<void> {
      await failures[outage % failures.length]?.();
      await act();
    },
    [Symbol.asyncDispose]: async () => void (await act("stop")),
  };
}

async function endConnections(location: string): Promise<void> {
  const db = new Kysely({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: location, max: 1 }) }),
  });
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null`.execute(
    db,
  );
  await db.destroy();
}

/** Clients that push tags and pull them, and what they were told. */
class World {
  readonly unexpected: string[] = [];
  unavailable = 0;
  readonly #client: PushClient;
  readonly #base: string;
  readonly #acknowledged = new Map<string, string>();
  #answered = 0;
  #onAnswer = () => {};

  constructor(base: string, token: string) {
    this.#base = base;
    this.#client = new PushClient(base, token);
  }

  async pushFirst(): Promise<void> {
    const image = imageOf("first");
    await this.#client.push({ ...image, mediaType, blobs: [config], images: [] }, { tag: "first" });
  }

  /** Resolves when so many more requests succeeded. */
  async progress(count: number): Promise<void> {
    const aim = this.#answered + count;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onAnswer = () => {
      if (this.#answered >= aim) resolve();
    };
    await promise;
  }

  async work(number: number, signal: AbortSignal): Promise<void> {
    for (let step = 0; !signal.aborted; step++) {
      const tag = `tag-${number}-${step}`;
      const image = imageOf(tag);
      if (await this.#ask("PUT", `manifests/${tag}`, 201, image.bytes)) this.#acknowledged.set(tag, image.digest);
      await this.#ask("GET", "manifests/first", 200);
      await this.#ask("GET", "tags/list?n=5", 200);
    }
  }

  async checkAcknowledged(): Promise<void> {
    for (const [tag, digest] of this.#acknowledged) expect([tag, await this.#client.pull(tag)]).toEqual([tag, digest]);
  }

  /** @returns whether the answer was the expected one */
  async #ask(method: string, path: string, expected: number, body?: Uint8Array): Promise<boolean> {
    const init = { headers: { "content-type": mediaType }, ...(body && { body: Buffer.from(body) }) };
    const signal = AbortSignal.timeout(patienceMs);
    try {
      const answer = await this.#client.ask(method, path, [expected, 503], { ...init, signal });
      const text = await answer.text();
      if (answer.status === 503) this.#countUnavailable(answer, text);
      else {
        this.#answered++;
        this.#onAnswer();
      }
      return answer.status === expected;
    } catch (error) {
      this.unexpected.push(`${method} ${new URL(path, this.#base).pathname}: ${String(error)}`);
      return false;
    }
  }

  #countUnavailable(answer: Response, text: string): void {
    this.unavailable++;
    const isOwnForm = answer.headers.get("retry-after") !== null && text.startsWith('{"errors":[{"code":"');
    if (!isOwnForm) this.unexpected.push(`503 in another form: ${text}`);
  }
}

function imageOf(name: string) {
  return contentOf(
    JSON.stringify({
      schemaVersion: 2,
      mediaType,
      config: {
        mediaType: "application/vnd.oci.image.config.v1+json",
        digest: config.digest,
        size: config.bytes.length,
      },
      layers: [],
      annotations: { name },
    }),
  );
}
