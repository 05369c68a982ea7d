/**
 * Prunes a repository of 100,000 tags to 1,000: the time that this takes, the response times of other requests meanwhile, and the time of
 * a preview.
 *
 *     node --conditions=plimsoll-source benchmarks/prune.ts
 *
 * `PLIMSOLL_TEST_POSTGRES` names an empty PostgreSQL database to use instead of SQLite. The argument is the number of tags.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import type { RegistryTables } from "@plimsoll/registry";
import { openStore } from "@plimsoll/store";
import { request } from "undici";
import { addTags, pushImage, startRegistry } from "./lib/registry.ts";

const many = Number(process.argv[2] ?? 100_000);
const kept = 1_000;
const scratch = mkdtempSync(join(tmpdir(), "plimsoll-benchmark-"));

try {
  using registry = await startRegistry(scratch, process.env.PLIMSOLL_TEST_POSTGRES);
  const { address, bearer, database } = registry;
  const ask = async (method: "GET" | "POST", path: string, body?: object) => {
    const headers = { authorization: bearer, "content-type": "application/json" };
    const startedAt = performance.now();
    const answer = await request(`${address}/api/v1${path}`, {
      method,
      headers,
      body: body ? JSON.stringify(body) : null,
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.statusCode} ${text}`);
    return { ms: performance.now() - startedAt, body: JSON.parse(text) };
  };
  await pushImage(registry, "first/many");
  await addTags(registry, "many", many - 1);
  const policy = { method: "number_of_tags", value: kept };
  const tried = `method=number_of_tags&value=${kept}`;
  const first = await ask("GET", `/repository/first/many/autoprunepreview?${tried}`);
  const last = await ask("GET", `/repository/first/many/autoprunepreview?${tried}&page=${Math.ceil(many / 100)}`);
  console.log(`preview: first page ${first.ms.toFixed(0)} ms, last page ${last.ms.toFixed(0)} ms`);

  await using store = await openStore<RegistryTables>(database, { migrations: [] });
  const alive = async () => {
    const { rows } = await store.db
      .selectFrom("tag")
      .select(({ fn }) => fn.countAll<number>().as("rows"))
      .where("end_at", "is", null)
      .executeTakeFirstOrThrow();
    return Number(rows);
  };
  const startedAt = performance.now();
  await ask("POST", "/repository/first/many/autoprunepolicy/", policy);
  const waits: number[] = [];
  for (;;) {
    waits.push((await ask("GET", "/repository/first/many/tag/?limit=1")).ms);
    await ask("POST", "/user/apptoken", { title: "written meanwhile" }).then(
      ({ ms }) => waits.push(ms),
      () => {},
    );
    if ((await alive()) <= kept) break;
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const sorted = waits.toSorted((one, other) => one - other);
  const worst = sorted.at(-1) ?? 0;
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  console.log(`${many} tags to ${kept}: ${seconds.toFixed(1)} s, ${((many - kept) / seconds).toFixed(0)} tags/s`);
  console.log(`requests meanwhile: median ${median.toFixed(0)} ms, longest ${worst.toFixed(0)} ms`);
  console.log(`load ${loadavg()[0]?.toFixed(1)}`);
} finally {
  rmSync(scratch, { recursive: true });
}
