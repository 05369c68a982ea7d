/**
 * `plimsoll serve` on a real S3-compatible store that is stopped, crashes and freezes while clients push and pull: no answer but
 * the expected ones and 503 in the API's own form, within their deadlines; no connection is closed after a 200 for a blob whose
 * store was away from the beginning; each outage is logged once, and nothing is lost that was acknowledged.
 */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { skipNote } from "@plimsoll/testing";
import { expect, it, onTestFailed } from "vitest";
import { manifestOf, manifestType, OutageClients } from "./support/outage-clients.ts";
import { contentOf } from "./support/push-client.ts";
import { startRegistry } from "./support/registry-process.ts";
import { findFreePort } from "./support/service-process.ts";
import { tempFolder } from "./support/temp-folder.ts";

const run = promisify(execFile);
const script = fileURLToPath(new URL("../scripts/start-service.sh", import.meta.url));
/** The test takes away a store of its own: the one that the variable names, others use meanwhile. */
const hasStore = (process.env.PLIMSOLL_TEST_S3 ?? "") !== "" && existsSync("/usr/bin/swift-proxy-server");
const skipped = skipNote(hasStore ? undefined : "PLIMSOLL_TEST_S3 is not set, or no OpenStack Swift is installed");

const clients = 8;
const storeSeconds = 4;
/** No answer may take longer: the store's deadline, and what a busy machine needs. */
const patienceMs = 1000 * (storeSeconds + 16);
/** How the store goes away, and how it comes back. */
const outages = [
  { away: "stop", back: "start" },
  { away: "freeze", back: "thaw" },
  { away: "break", back: "start" },
] as const;

it.skipIf(!hasStore)(
  `a registry goes on while its S3 store goes away again and again${skipped}`,
  async () => {
    using folder = tempFolder();
    using place = tempFolder();
    await using store = await startStore(place.path);
    await using registry = await startRegistry(folder.path, { ...store.settings, s3TimeoutSeconds: `${storeSeconds}` });
    const { process: server } = registry;
    onTestFailed(
      () => void process.stderr.write(`${server.log.filter((line) => !line.includes('"request"')).join("\n")}\n`),
    );
    const load = new AbortController();
    const world = new OutageClients(`${server.url}/v2/alice/kept/`, registry.token, patienceMs);
    const kept = contentOf(randomBytes(300_000));
    const first = manifestOf("first", [kept]);
    await world.push(first, "first");
    const readiness = async () => (await fetch(`${server.healthUrl}/readyz`)).status;

    const working = Array.from({ length: clients }, (_, number) =>
      work(world, { number, kept: kept.digest }, load.signal),
    );
    for (const { away, back } of outages) {
      await world.progress(5 * clients);
      const failures = linesOf(server.log, "dependency_failed");
      world.mayBreak = () => true; // until it is away, an answer may have begun before
      await store.act(away);
      const goneMs = performance.now();
      world.mayBreak = (begunMs) => begunMs < goneMs;
      await world.refusals(2 * clients);
      expect(await readiness()).toBe(503);
      expect(linesOf(server.log, "dependency_failed") - failures).toBe(1);
      await store.act(back);
      await expect.poll(readiness).toBe(200);
    }
    await world.progress(5 * clients);
    load.abort();
    await Promise.all(working);

    expect(world.unexpected).toEqual([]);
    expect(server.crashes).toEqual([]);
    expect(linesOf(server.log, "request_failed")).toBe(0);
    // A store that comes back may say for a moment that its bucket is not there: that is told, and its end as well.
    expect(linesOf(server.log, "dependency_recovered")).toBe(linesOf(server.log, "dependency_failed"));
    expect(linesOf(server.log, "dependency_recovered")).toBeGreaterThanOrEqual(outages.length);
    await world.checkAcknowledged();
  },
  600_000,
);

/** Pulls a blob, pushes another with its manifest, and asks for what needs no blob. */
async function work(
  world: OutageClients,
  { number, kept }: { readonly number: number; readonly kept: string },
  signal: AbortSignal,
): Promise<void> {
  for (let step = 0; !signal.aborted; step++) {
    const pulled = await world.ask({ method: "GET", path: `blobs/${kept}`, expected: [200] });
    if (pulled && contentOf(pulled.bytes).digest !== kept) world.unexpected.push("another blob");
    await world.ask({ method: "GET", path: "manifests/first", expected: [200] });
    await world.ask({ method: "GET", path: "/api/v1/repository?public=true", expected: [200] });
    await pushOne(world, `tag-${number}-${step}`);
  }
}

async function pushOne(world: OutageClients, tag: string): Promise<void> {
  const layer = contentOf(randomBytes(20_000));
  const begun = await world.ask({ method: "POST", path: "blobs/uploads/", expected: [202] });
  const upload = begun?.headers.get("location");
  if (upload === undefined || upload === null) return;
  if (!(await world.ask({ method: "PATCH", path: upload, expected: [202], body: layer.bytes }))) return;
  if (!(await world.ask({ method: "PUT", path: `${upload}?digest=${layer.digest}`, expected: [201] }))) return;
  const { bytes, digest } = manifestOf(tag, [layer]);
  const headers = { "content-type": manifestType };
  const put = await world.ask({ method: "PUT", path: `manifests/${tag}`, expected: [201], headers, body: bytes });
  if (put) world.acknowledged(tag, digest);
}

function linesOf(log: readonly string[], event: string): number {
  return log.filter((line) => line.includes(`"event":"${event}"`)).length;
}

/** A store of its own, which the test takes away. */
async function startStore(folder: string) {
  const port = String(await findFreePort());
  const act = async (action: string) => {
    const words = action === "start" ? [] : [action];
    return (await run("sh", [script, "s3", folder, port, ...words])).stdout.trim();
  };
  const address = new URL(await act("start"));
  return {
    act,
    settings: {
      storage: `s3:/${address.pathname}/outages`,
      s3Endpoint: address.origin,
      s3Region: address.searchParams.get("region") ?? "",
      s3AccessKeyId: decodeURIComponent(address.username),
      s3SecretAccessKey: decodeURIComponent(address.password),
    },
    /** What is frozen does not end by being told. */
    [Symbol.asyncDispose]: async () => void (await act("break")),
  };
}
