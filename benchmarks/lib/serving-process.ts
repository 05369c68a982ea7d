/**
 * A server in a process of its own, for its parent to load and to measure: `plimsoll DATABASE [KEY]` (a base64 key for
 * tokens), or `bare`, `node:http` without any code around, which gives every request the answer that it was told.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { prepareRawJoin } from "./advisory-database.ts";
import type { Told, Used } from "./serving.ts";

async function startPlimsoll(database: string, key: string | undefined): Promise<string> {
  const { defaultServiceSettings, startServing } = await import("@plimsoll/server/serve");
  const { pino } = await import("pino");
  const { address } = await startServing(
    {
      ...{ ...defaultServiceSettings, database, port: 0, healthPort: 0, layerNetworks: ["127.0.0.1"] },
      ...(key !== undefined && { auth: { key: Buffer.from(key, "base64"), issuers: ["benchmark"] } }),
    },
    { logger: pino({ level: "error" }), clock: Date },
  );
  return address;
}

let answer: Required<Told>["answer"] = { status: 200, headers: [], body: "" };
let beforeEach = () => {};

async function startBare(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    beforeEach();
    response.writeHead(answer.status, [...answer.headers]).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function listenTo({ answer: told, join }: Told): void {
  answer = told ?? answer;
  if (join === undefined) return;
  const read = prepareRawJoin(new DatabaseSync(join.database, { readOnly: true }));
  beforeEach = () => void read(join.keys);
}

process.on("message", (told: Told) => {
  listenTo(told);
  const { user, system } = process.cpuUsage();
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  process.send?.({ cpuMicroseconds: user + system, peakBytes } satisfies Used);
});
process.once("disconnect", () => process.exit());
const [what, database = "", key] = process.argv.slice(2);
process.send?.(await (what === "plimsoll" ? startPlimsoll(database, key) : startBare()));
