/**
 * Webhooks of a repository: the number of deliveries per second while 8 clients push tags as fast as possible, and the time from the
 * response to a push until the receiver is called.
 *
 *     node --conditions=plimsoll-source benchmarks/deliveries.ts [EVENTS]
 *
 * `PLIMSOLL_TEST_POSTGRES` names an empty PostgreSQL database to use instead of SQLite.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { startWebhookReceiver } from "@plimsoll/testing";
import { request } from "undici";
import { percentile } from "./lib/percentile.ts";
import { call, pushImage, startRegistry } from "./lib/registry.ts";

const events = Number(process.argv[2] ?? 1_000);
const clients = 8;
const mediaType = "application/vnd.oci.image.manifest.v1+json";
const scratch = mkdtempSync(join(tmpdir(), "plimsoll-benchmark-"));

try {
  using registry = await startRegistry(scratch, process.env.PLIMSOLL_TEST_POSTGRES);
  const calledAt: number[] = [];
  await using receiver = await startWebhookReceiver(() => void calledAt.push(performance.now()));
  const { bearer: authorization, basic, address } = registry;
  const digest = await pushImage(registry, "first/app");
  const hook = { event: "repo_push", method: "webhook", config: { url: receiver.url }, eventConfig: {} };
  await call(registry, {
    method: "POST",
    path: "/api/v1/repository/first/app/notification/",
    authorization,
    body: hook,
  });
  const manifests = `${address}/v2/first/app/manifests/`;
  const manifest = await request(`${manifests}${digest}`, { headers: { authorization: basic, accept: mediaType } });
  const body = Buffer.from(await manifest.body.arrayBuffer());

  const startedAt = performance.now();
  const pushedAt = new Map<string, number>();
  let next = 0;
  const push = async () => {
    for (let number = next++; number < events; number = next++) {
      const options = { authorization: basic, body, contentType: mediaType };
      await call(registry, { method: "PUT", path: `/v2/first/app/manifests/build-${number}`, ...options });
      pushedAt.set(`build-${number}`, performance.now());
    }
  };
  await Promise.all(Array.from({ length: clients }, push));
  const pushedSeconds = (performance.now() - startedAt) / 1000;
  await receiver.called(events);
  const seconds = (performance.now() - startedAt) / 1000;

  const delays = receiver.calls.map(({ body: text }, index) => {
    const { updated_tags } = JSON.parse(text) as { readonly updated_tags: readonly [string] };
    return Math.max(0, (calledAt[index] ?? 0) - (pushedAt.get(updated_tags[0]) ?? 0)); // the receiver may be called before the response to the push arrives
  });
  const rates = [events / pushedSeconds, receiver.calls.length / seconds].map((rate) => rate.toFixed(0));
  console.log(`${events} events: ${rates[0]} pushes/s, ${rates[1]} deliveries/s; load ${loadavg()[0]?.toFixed(1)}`);
  const [p50, p99] = [0.5, 0.99].map((part) => percentile(delays, part).toFixed(0));
  console.log(
    `from the answer to the call: p50 ${p50} ms, p99 ${p99} ms; ${receiver.calls.length - events} calls more than events`,
  );
} finally {
  rmSync(scratch, { recursive: true });
}
