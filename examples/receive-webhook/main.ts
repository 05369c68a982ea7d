/** Receives the notification of an update from a scanner service and reads the changes. node main.ts MANIFEST TRACKER [DATABASE] */
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { openScanner } from "@plimsoll/scanner";
import { defaultServiceSettings, startServing } from "@plimsoll/server/serve";
import { jwtVerify, SignJWT } from "jose";
import { pino } from "pino";

const [, , manifest, tracker, given] = process.argv;
if (manifest === undefined || tracker === undefined || ![manifest, tracker].every((file) => existsSync(file))) {
  console.error(
    "usage: node main.ts MANIFEST TRACKER [DATABASE]; MANIFEST has the addresses of the layers, TRACKER has advisories",
  );
  process.exit(2);
}
const database = given ?? join(mkdtempSync(join(tmpdir(), "receive-webhook-")), "receive-webhook.db");
const key = Buffer.from("a key of at least thirty-two bytes that both sides know");

async function loadFeed(debian: string): Promise<void> {
  await using scanner = await openScanner({ db: database, offline: true });
  await scanner.updateFeeds({ only: ["debian"], locations: { debian } });
}

const receiver = createServer(async (request, response) => {
  receiver.emit("called", request.headers.authorization, await text(request));
  response.writeHead(204).end();
}).listen(0, "127.0.0.1");
await once(receiver, "listening");

await loadFeed(join(import.meta.dirname, "before.json")); // the state that the update is compared with
const callback = "http://scanner.example/notifier/api/v1/notification"; // the address of the service for receivers
const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
const settings = {
  ...defaultServiceSettings,
  ...{ database, port: 0, healthPort: 0, layerNetworks: ["127.0.0.1"] },
  auth: { key, issuers: ["my-build"] },
  notifications: { delivery: { kind: "webhook", target }, callback, mode: "full", pollPeriodSeconds: 1 },
} as const;
await using service = await startServing(settings, { logger: pino({ level: "warn" }), clock: Date });

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const token = new SignJWT().setProtectedHeader({ alg: "HS256" }).setIssuer("my-build").setExpirationTime("1m");
  const authorization = `Bearer ${await token.sign(key)}`;
  return fetch(service.address + path, { ...init, headers: { ...init.headers, authorization } });
}

const indexed = await ask("/indexer/api/v1/index_report", {
  method: "POST",
  headers: { "content-type": "application/vnd.scanner.manifest.v1+json" },
  body: readFileSync(manifest),
});
console.log("indexed:", indexed.status);
await delay(2_000); // one or two polls, so that the service knows the state before the update
const call = once(receiver, "called", { signal: AbortSignal.timeout(60_000) });
await loadFeed(tracker);

const [authorization, body] = await call;
const { payload } = await jwtVerify(authorization.slice("Bearer ".length), key, { issuer: "plimsoll-notifier" });
console.log("called, signed by:", payload.iss);
const path = new URL(JSON.parse(body).callback).pathname;
for (let next: string | undefined = ""; next !== undefined; ) {
  const { page, notifications } = JSON.parse(await (await ask(`${path}?page_size=20&next=${next}`)).text());
  for (const { reason, vulnerability: its } of notifications) console.log(reason, its.name, its.normalized_severity);
  next = page.next;
}
console.log("deleted:", (await ask(path, { method: "DELETE" })).status);
receiver.close();
