/**
 * A mirror of 200 tags that share layers: the bytes that it transfers compared to the minimum, which is the sum of the distinct contents,
 * and the time it takes; then the same with nothing changed and with one tag changed. For comparison, if it is installed: `skopeo sync`,
 * which copies the same tags between the same two registries.
 *
 *     node --conditions=plimsoll-source benchmarks/mirror.ts
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type BuiltImage, blobsOf } from "@plimsoll/testing";
import { pushImage } from "../tests/support/push-image.ts";
import { seededRandom } from "../tests/support/seeded-random.ts";
import { countingFront, type Moved } from "./lib/counting-front.ts";
import { hasProgram } from "./lib/measure.ts";
import { call, type ServedRegistry, startRegistry } from "./lib/registry.ts";
import { soakBases, soakImage } from "./lib/soak-images.ts";

const tags = 200;
const scratch = mkdtempSync(join(tmpdir(), "plimsoll-benchmark-"));
const random = seededRandom(1);

try {
  const [from, to] = ["from", "to"].map((name) => join(scratch, name)) as [string, string];
  for (const folder of [from, to]) mkdirSync(folder);
  using source = await startRegistry(from);
  using target = await startRegistry(to);
  await using front = await countingFront(source.address);
  const bases = await soakBases();
  const repository = `${source.address}/v2/first/app`;
  const distinct = new Map<string, number>();
  for (let number = 0; number < tags; number++) {
    const image = await soakImage(bases, random);
    await pushImage(repository, source.basic, { image, reference: `v${number}` });
    note(distinct, image);
  }
  const host = new URL(front.url).host;
  await createMirror(target, host);
  const least = sum(distinct.values());
  console.log(
    `${tags} tags, ${distinct.size} distinct contents, ${megabytes(least)}; load ${loadavg()[0]?.toFixed(1)}`,
  );
  const line = (what: string, { bytes, seconds }: Moved, wanted = least) =>
    console.log(
      `${what.padEnd(28)} ${megabytes(bytes).padStart(9)} of ${megabytes(wanted)} needed, ${seconds.toFixed(1)} s`,
    );
  line("first", await front.measure(() => sync(target)));
  line("nothing changed", await front.measure(() => sync(target)), 0);
  const changed = await soakImage(bases, random);
  await pushImage(repository, source.basic, { image: changed, reference: "v0" });
  const all = new Map(distinct);
  note(all, changed);
  line("one tag changed", await front.measure(() => sync(target)), sum(all.values()) - least);
  if (hasProgram("skopeo")) line("skopeo sync, first", await front.measure(() => skopeo(host, target)));
} finally {
  rmSync(scratch, { recursive: true });
}

function note(distinct: Map<string, number>, image: BuiltImage): void {
  for (const { digest, bytes } of blobsOf(image)) distinct.set(digest, bytes.length);
}

async function createMirror({ address, bearer: authorization }: ServedRegistry, host: string): Promise<void> {
  await call({ address }, { method: "POST", path: "/api/v1/organization/", authorization, body: { name: "acme" } });
  await call({ address }, { method: "PUT", path: "/api/v1/organization/acme/robots/bot", authorization, body: {} });
  const repository = { namespace: "acme", repository: "app", visibility: "private", description: "" };
  await call({ address }, { method: "POST", path: "/api/v1/repository", authorization, body: repository });
  const mirror = {
    external_reference: `${host}/first/app`,
    external_registry_username: "first",
    external_registry_password: "first-password",
    external_registry_config: { verify_tls: false },
    sync_start_date: new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+/, ""),
    sync_interval: 86_400,
    robot_username: "acme+bot",
    root_rule: { rule_kind: "tag_glob_csv", rule_value: ["*"] },
  };
  await call({ address }, { method: "POST", path: "/api/v1/repository/acme/app/mirror", authorization, body: mirror });
}

async function sync({ address, bearer: authorization }: ServedRegistry): Promise<void> {
  const path = "/api/v1/repository/acme/app/mirror";
  await call({ address }, { method: "POST", path: `${path}/sync-now`, authorization });
  for (;;) {
    const { sync_status } = (await call({ address }, { method: "GET", path, authorization })) as {
      readonly sync_status: string;
    };
    if (sync_status === "SUCCESS") return;
    if (sync_status === "FAIL") throw new Error("the mirror failed");
    await delay(20);
  }
}

async function skopeo(host: string, { address }: ServedRegistry): Promise<void> {
  const login = "first:first-password";
  const words = ["sync", "--src", "docker", "--dest", "docker", "--src-tls-verify=false", "--dest-tls-verify=false"];
  const child = spawn(
    "skopeo",
    [...words, "--src-creds", login, "--dest-creds", login, `${host}/first/app`, `${new URL(address).host}/first`],
    { stdio: "ignore" },
  );
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`skopeo sync ended with ${code}`);
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, each) => total + each, 0);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(2)} MB`;
}
