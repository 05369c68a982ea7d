/** Measures one load of the synthetic advisories into a new file: `plimsoll FILE` or `reference FILE`. Prints the cost as JSON. */
import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { keepHeapSmall } from "../../packages/server/src/keep-heap-small.ts";
import { loadAdvisories } from "./advisory-database.ts";
import { syntheticAdvisories } from "./synthetic-advisories.ts";

/** The cost of a load. */
export interface MeasuredImport {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMegabytes: number;
  readonly fileMegabytes: number;
}

const [how = "", file = ""] = process.argv.slice(2);
keepHeapSmall(); // as the command does
const [start, cpu] = [performance.now(), process.cpuUsage()];
await (how === "plimsoll" ? loadAdvisories(file) : insert());
const { user, system } = process.cpuUsage(cpu);
const measured: MeasuredImport = {
  seconds: (performance.now() - start) / 1000,
  cpuSeconds: (user + system) / 1e6,
  peakMegabytes: (process.resourceUsage().maxRSS * 1024) / 1e6,
  fileMegabytes: statSync(file).size / 1e6,
};
console.log(JSON.stringify(measured));

/** The minimum in SQLite: one statement, one transaction, one table with the two orders that updates and look-ups need. */
async function insert(): Promise<void> {
  const db = new DatabaseSync(file);
  db.exec(`pragma journal_mode = wal;
    create table advisory (id text primary key, ecosystem text, package text, name text, fixed text, text text) without rowid;
    create index advisory_package on advisory (ecosystem, package, id);
    begin`);
  const statement = db.prepare("insert or replace into advisory values (?, ?, ?, ?, ?, ?)");
  for await (const entry of syntheticAdvisories()) {
    if (entry.kind !== "item") continue;
    const { id, ecosystem, packageName, name, ranges, ...others } = entry.item;
    statement.run(id, ecosystem, packageName, name, ranges[0]?.fixed ?? null, JSON.stringify(others));
  }
  db.exec("commit");
  db.close();
}
