/**
 * Small transactions on SQLite that are durable when they are acknowledged, where writers share a sync. For comparison: the same without
 * any sync, and SQLite's own `synchronous = full`, where each commit syncs and blocks the thread.
 *
 *     node --conditions=plimsoll-source benchmarks/durable-commits.ts
 *
 * It measures the disk of `TMPDIR`; a folder in memory shows only the overhead of waiting.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openStore } from "../packages/store/src/index.ts";
import { median } from "./lib/measure.ts";

interface Tables {
  note: { id: number; text: string };
}

const rounds = 7;
const transactions = 400;
const createTable = "create table note (id integer primary key, text text not null)";
const scratch = mkdtempSync(join(tmpdir(), "plimsoll-benchmark-"));
const text = "x".repeat(200);

try {
  await using store = await openStore<Tables>(join(scratch, "ours.db"), {
    migrations: [
      {
        service: "notes",
        migrations: [
          {
            name: "0001",
            up: async (db) =>
              void (await db.schema
                .createTable("note")
                .addColumn("id", "integer", (id) => id.primaryKey())
                .addColumn("text", "text")
                .execute()),
          },
        ],
      },
    ],
  });
  using full = new DatabaseSync(join(scratch, "full.db"));
  full.exec(`pragma journal_mode = wal; pragma synchronous = full; ${createTable}`);
  const insert = full.prepare("insert into note (text) values (?)");
  const row = () => ({ text }) as Tables["note"];
  const contestants: Readonly<Record<string, () => Promise<unknown>>> = {
    "ours, on disk": () => store.transaction((db) => db.insertInto("note").values(row()).execute()),
    "ours, not on disk (as before)": () =>
      store.relaxed.transaction().execute((db) => db.insertInto("note").values(row()).execute()),
    "SQLite, synchronous = full": async () => insert.run(text),
  };
  for (const writers of [1, 8, 32]) {
    const seconds = new Map<string, number[]>(Object.keys(contestants).map((name) => [name, []]));
    for (let round = 0; round < rounds; round++) {
      for (const [name, write] of Object.entries(contestants)) seconds.get(name)?.push(await time(writers, write));
    }
    for (const [name, measured] of seconds) {
      console.log(`${writers} writers, ${name}: ${Math.round(transactions / median(measured))} transactions/s`);
    }
  }
  console.log(`load ${loadavg()[0]?.toFixed(1)}`);
} finally {
  rmSync(scratch, { recursive: true });
}

async function time(writers: number, write: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  let left = transactions;
  const writer = async () => {
    while (left-- > 0) await write();
  };
  await Promise.all(Array.from({ length: writers }, writer));
  return (performance.now() - start) / 1000;
}
