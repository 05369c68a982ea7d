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
import { manifestOf, manifestType, OutageClients } from "./support/outage-clients.ts";
import { startRegistry } from "./support/registry-process.ts";
import { findFreePort } from "./support/service-process.ts";
import { tempFolder } from "./support/temp-folder.ts";

const run = promisify(execFile);
const script = fileURLToPath(new URL("../scripts/start-service.sh", import.meta.url));
const hasPostgres = process.env.PLIMSOLL_TEST_POSTGRES !== undefined;
const outages = Number(process.env.PLIMSOLL_TEST_OUTAGES ?? 6);
const clients = 50;
/** No answer may take longer, whatever the database does. */
const patienceMs = 30_000;

it.skipIf(!hasPostgres)(
  `a registry loses nothing while its PostgreSQL server goes away again and again under ${clients} clients`,
  async () => {
    using folder = tempFolder();
    using cluster = tempFolder();
    await chmod(cluster.path, 0o755);
    await using server = await startServer(cluster.path);
    await using registry = await startRegistry(folder.path, { database: server.location });
    const load = new AbortController();
    const world = new OutageClients(`${registry.process.url}/v2/alice/kept/`, registry.token, patienceMs);
    await world.push(manifestOf("first"), "first");

    const working = Array.from({ length: clients }, (_, number) => work(world, number, load.signal));
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
  const act = async (...action: string[]) =>
    (await run("sh", [script, "postgres", folder, port, ...action])).stdout.trim();
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

/** Pushes tags and pulls, again and again. */
async function work(clients: OutageClients, number: number, signal: AbortSignal): Promise<void> {
  for (let step = 0; !signal.aborted; step++) {
    const tag = `tag-${number}-${step}`;
    const { bytes, digest } = manifestOf(tag);
    const headers = { "content-type": manifestType };
    const put = { method: "PUT", path: `manifests/${tag}`, expected: [201], headers, body: bytes };
    if (await clients.ask(put)) clients.acknowledged(tag, digest);
    await clients.ask({ method: "GET", path: "manifests/first", expected: [200] });
    await clients.ask({ method: "GET", path: "tags/list?n=5", expected: [200] });
  }
}
