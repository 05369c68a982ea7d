/**
 * Requests that cost the server as much as a tenant can make them cost: how long one of them takes, how long it blocks the server's thread,
 * and the response times of another client meanwhile. Each row repeats its request for some seconds; the limit is 100 ms at p99.
 *
 *     node --conditions=plimsoll-source benchmarks/costly-requests.ts [SECONDS] [TITLE] [CLIENTS]
 */
import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { request } from "undici";
import { insertTags } from "../tests/support/insert-tags.ts";
import { loadAdvisories } from "./lib/advisory-database.ts";
import {
  changeExpiration,
  changeGate,
  createGatedOrganization,
  pushAttested,
  pushIndexes,
  pushSharing,
} from "./lib/costly-images.ts";
import { addGate, largeAdvisories, pushLargeImage } from "./lib/large-image.ts";
import { percentile } from "./lib/percentile.ts";
import { call, pushImage, type ServedRegistry, startRegistry } from "./lib/registry.ts";
import { type Serving, startServer } from "./lib/serving.ts";

const seconds = Number(process.argv[2] ?? 3);
const only = process.argv[3] ?? "";
/** How many clients send each request at once; where absent, as many as the row says. */
const clients = process.argv[4] === undefined ? undefined : Number(process.argv[4]);
const limitMs = 100;
/** Whether rows whose titles begin so are wanted: pushing what they request takes long. */
const isWanted = (beginning: string) => only === "" || only.startsWith(beginning);
const manifestType = "application/vnd.oci.image.manifest.v1+json";
const indexType = "application/vnd.oci.image.index.v1+json";

interface Costly {
  readonly title: string;
  readonly method?: "GET" | "POST" | "PUT";
  readonly path: string;
  /** Changes what the server could have cached, before each request. @param count another value each time */
  readonly before?: (count: number) => Promise<void>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How many clients send it at once; 1 by default. */
  readonly clients?: number;
}

const times = <T>(count: number, make: (at: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, at) => make(at));
const sha = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;
const members = (count: number, value = '"v"') => times(count, (at) => `"k${at}":${value}`).join();

/** Prints one row: the request alone, and another client beside it. */
async function measure(registry: ServedRegistry, costly: Costly, server: Serving): Promise<void> {
  const asked = { ...registry, ...server };
  const cpuMs = await processorTime(asked, costly);
  const own: number[] = [];
  let until = 0;
  let status = 0;
  const send = async () => {
    while (performance.now() < until) {
      const from = performance.now();
      status = await statusOf(asked, costly);
      own.push(performance.now() - from);
    }
  };
  const other = await askingOf(server, registry);
  await server.tell({});
  until = performance.now() + seconds * 1000;
  await Promise.all(times(clients ?? costly.clients ?? 1, send));
  const others = await other.stop();
  const { blockedMs, busyMs } = await server.tell({});
  const p99 = percentile(others, 0.99);
  const cells = [percentile(own, 0.5), cpuMs, blockedMs, busyMs, percentile(others, 0.5), p99].map((each) =>
    each.toFixed(0).padStart(6),
  );
  console.log(`${costly.title.padEnd(62)} ${status}  ${cells.join(" ")}${p99 > limitMs ? "  too slow" : ""}`);
}

/** Another client in a separate process, which sends small requests. */
async function askingOf(server: Serving, registry: ServedRegistry) {
  const isRegistry = server === registry;
  const path = isRegistry ? `/v2/first/app/manifests/first ${registry.basic}` : "/indexer/api/v1/index_state";
  const client = fork(join(import.meta.dirname, "lib/asking-client.ts"), [server.address + path], { stdio: "inherit" });
  await once(client, "message");
  return {
    async stop(): Promise<readonly number[]> {
      const reply = once(client, "message");
      client.send("stop");
      const [times] = await reply;
      return times;
    },
  };
}

/** The processor time of the server for one request, which does not depend on what else the machine does. */
async function processorTime(registry: ServedRegistry, costly: Costly): Promise<number> {
  await statusOf(registry, costly);
  const before = await registry.tell({});
  for (let count = 0; count < 3; count++) await statusOf(registry, costly);
  return ((await registry.tell({})).cpuMicroseconds - before.cpuMicroseconds) / 3000;
}

let sent = 0;

async function statusOf({ address, basic, bearer }: ServedRegistry, costly: Costly): Promise<number> {
  const { method = "GET", path, before, headers = {}, body } = costly;
  await before?.(sent++);
  const authorization = path.startsWith("/v2/") ? basic : bearer;
  const answer = await request(`${address}${path}`, {
    method,
    headers: { authorization, ...headers },
    body: body ?? null,
  }).catch((error: unknown) => error as Error);
  if (answer instanceof Error) return 0;
  await answer.body.dump();
  return answer.statusCode;
}

/** A manifest as the registry accepts it, with more members. */
function manifest(more: string): string {
  const config = { mediaType: "application/vnd.oci.image.config.v1+json", digest: sha("{}"), size: 2 };
  return `{"schemaVersion":2,"mediaType":"${manifestType}","config":${JSON.stringify(config)},"layers":[],${more}}`;
}

function put(title: string, body: string, type = manifestType): Costly {
  return { title, method: "PUT", path: "/v2/first/app/manifests/costly", headers: { "content-type": type }, body };
}

function api(title: string, path: string, body?: string): Costly {
  const json = { "content-type": "application/json" };
  return { title, path: `/api/v1/${path}`, ...(body === undefined ? {} : { method: "POST", headers: json, body }) };
}

async function storedLabels(registry: ServedRegistry, count: number): Promise<string> {
  const config = `{"config":{"Labels":{${members(count)}}}}`;
  const path = `/v2/first/app/blobs/uploads/?digest=${sha(config)}`;
  const body = Buffer.from(config);
  await call(registry, {
    method: "POST",
    path,
    authorization: registry.basic,
    body,
    contentType: "application/octet-stream",
  });
  const descriptor = { mediaType: "application/vnd.oci.image.config.v1+json", digest: sha(config), size: body.length };
  return JSON.stringify({ schemaVersion: 2, mediaType: manifestType, config: descriptor, layers: [] });
}

const largeManifest = manifest(`"annotations":{${members(1000, JSON.stringify("v".repeat(8000)))}}`);

function mirrorOf(glob: string): string {
  return JSON.stringify({
    external_reference: "registry.example.com/team/app",
    ...{ sync_interval: 86_400, sync_start_date: "2030-01-01T00:00:00Z", robot_username: "first+none" },
    root_rule: { rule_kind: "tag_glob_csv", rule_value: [glob] },
  });
}

const layer = (at: number) =>
  `{"mediaType":"application/vnd.oci.image.layer.v1.tar","digest":"${sha(`${at}`)}","size":1}`;
const scanned = (count: number) =>
  `{"hash":"${sha("x")}","layers":[${times(count, (at) => `{"hash":"${sha(`${at}`)}","uri":"http://127.0.0.1:1/${at}"}`).join()}]}`;

/** Requests for an image with as many findings as one may have. */
async function rowsOfLargeImage(registry: ServedRegistry): Promise<readonly Costly[]> {
  const digest = await pushLargeImage(registry, "first/large");
  await addGate(registry, "first/large");
  const manifestPath = `repository/first/large/manifest/${digest}`;
  const formats = ["sarif", "cyclonedx", "spdx", "csv"];
  const reports = formats.map((format) =>
    api(`large image: ${format}`, `${manifestPath}/security/report?format=${format}`),
  );
  return [
    api("large image: its security", `${manifestPath}/security`),
    ...reports,
    api("large image: compared with itself", `${manifestPath}/security/diff?before=${digest}`),
    { title: "large image: its report in /v2", path: `/v2/first/large/_plimsoll/report/${digest}` },
    api("large image: its gate with 200 exceptions", `${manifestPath}/pullgate`),
    { ...api("large image: its gate, 8 clients", `${manifestPath}/pullgate`), clients: 8 },
    { ...api("large image: its security, 8 clients", `${manifestPath}/security`), clients: 8 },
  ];
}

/** Requests for manifests, signatures and keys that are stored. */
async function rowsOfStoredImages(registry: ServedRegistry): Promise<readonly Costly[]> {
  const organization = await createGatedOrganization(registry);
  const [indexes, sharing, attested] = ["indexes", "sharing", "attested"].map((name) => `${organization}/${name}`);
  await pushIndexes(registry, `${indexes}`);
  const shared = await pushSharing(registry, `${sharing}`);
  const digest = await pushAttested(registry, `${attested}`);
  const before = (count: number) => changeGate(registry, count);
  const change = (count: number) => changeExpiration(registry, `${indexes}`, count);
  const tags = `repository/${indexes}/tag/?onlyActiveTags=true&limit=100`;
  return [
    { ...api("stored: tags of 100 indexes with 6,500 members", tags), before: change },
    { ...api("stored: the same, 8 clients", tags), before: change, clients: 8 },
    { title: "stored: a blob of 40 manifests of 3.4 MB", path: `/v2/${sharing}/blobs/${shared}`, before },
    { title: "stored: the same, 8 clients", path: `/v2/${sharing}/blobs/${shared}`, before, clients: 8 },
    { ...api("stored: attestations of 32 signatures, 20 keys", `repository/${attested}/manifest/${digest}/pullgate`) },
    { title: "stored: pull of that image", path: `/v2/${attested}/manifests/${digest}`, before },
  ];
}

function rows(): readonly Costly[] {
  const megabytes = 1024 * 1024;
  const json = { "content-type": "application/json" };
  return [
    put("manifest: 100,000 annotations", manifest(`"annotations":{${members(100_000)}}`)),
    put("manifest: 1,000 annotations of 8 kB", largeManifest),
    put("manifest: 7 MB of nested lists", manifest(`"x":${"[".repeat(3.5 * megabytes)}${"]".repeat(3.5 * megabytes)}`)),
    put("manifest: 3 million numbers", manifest(`"x":[${"0,".repeat(3_000_000)}0]`)),
    put("manifest: 500,000 members", manifest(`"x":{${members(500_000, "1")}}`)),
    put("manifest: 4,096 layers", manifest(`"y":1`).replace('"layers":[]', `"layers":[${times(4096, layer).join()}]`)),
    put(
      "index: 50,000 entries",
      `{"schemaVersion":2,"mediaType":"${indexType}","manifests":[${times(50_000, layer).join()}]}`,
      indexType,
    ),
    put(
      "index: 4,096 entries",
      `{"schemaVersion":2,"mediaType":"${indexType}","manifests":[${times(4096, layer).join()}]}`,
      indexType,
    ),
    {
      ...put("push by digest with 1,500 tags", manifest(`"y":1`)),
      path: `/v2/first/app/manifests/${sha(manifest('"y":1'))}?${times(1500, (at) => `tag=t${at}`).join("&")}`,
    },
    api("API: 100,000 members", "repository", `{${members(90_000, "1")}}`),
    api("API: 1 MB of nested lists", "repository", `{"x":${"[".repeat(500_000)}${"]".repeat(500_000)}}`),
    api("API: 500,000 numbers", "repository", `{"x":[${"0,".repeat(500_000)}0]}`),
    api(
      "API: text of 1 MB with control characters",
      "repository",
      JSON.stringify({ description: "a\t".repeat(300_000) }),
    ),
    api("API: 3,000 query parameters", `repository?${times(3000, (at) => `p${at}=1`).join("&")}`),
    api("API: search for 10,000 characters", `find/repositories?query=${"a".repeat(10_000)}`),
    {
      title: "Accept with 3,000 items",
      path: "/v2/first/app/manifests/first",
      headers: { accept: times(1000, (at) => `a/b${at};q=0.1`).join() },
    },
    {
      title: "Range with 1,500 ranges",
      path: `/v2/first/app/blobs/${sha("{}")}`,
      headers: { range: `bytes=${times(1500, (at) => `${at}-${at}`).join()}` },
    },
    {
      title: "If-None-Match with 1,500 tags",
      path: "/v2/first/app/manifests/first",
      headers: { "if-none-match": times(1500, (at) => `"e${at}"`).join() },
    },
    {
      title: "Cookie with 3,000 cookies",
      path: "/api/v1/user/",
      headers: { cookie: times(1500, (at) => `c${at}=1`).join("; ") },
    },
    {
      title: "Authorization of 12 kB that is no token",
      path: "/api/v1/user/",
      headers: { authorization: `Bearer ${"eyJ.".repeat(3000)}` },
    },
    {
      title: "token for 1,000 scopes",
      path: `/v2/auth?service=x&${times(300, (at) => `scope=repository:first/a${at}:pull,push`).join("&")}`,
    },
    { title: "tags/list?n=1000000 of 20,000 tags", path: "/v2/first/app/tags/list?n=1000000" },
    api("API: tags of 20,000", "repository/first/app/tag/?limit=100&filter_tag_name=like:a"),
    api("API: tags of 20,000, page 200", "repository/first/app/tag/?limit=100&page=200"),
    api("prune preview, costly patterns, 20,000 tags", "repository/first/app/autoprunepreview?page=10&limit=100"),
    {
      title: "scanner: manifest of 16 MB, 100,000 layers",
      method: "POST",
      path: "/indexer/api/v1/index_report",
      headers: json,
      body: scanned(100_000),
    },
    {
      title: "scanner: 16 MB of nested lists",
      method: "POST",
      path: "/indexer/api/v1/index_report",
      headers: json,
      body: `{"hash":${"[".repeat(7 * megabytes)}${"]".repeat(7 * megabytes)}}`,
    },
    {
      title: "scanner: 7 million numbers",
      method: "POST",
      path: "/indexer/api/v1/index_report",
      headers: json,
      body: `{"hash":[${"0,".repeat(7_000_000)}0]}`,
    },
    {
      title: "scanner: 1 million members",
      method: "POST",
      path: "/indexer/api/v1/index_report",
      headers: json,
      body: `{"hash":{${members(1_000_000, "1")}}}`,
    },
  ];
}

const scratch = mkdtempSync(join(tmpdir(), "plimsoll-benchmark-"));
try {
  await loadAdvisories(join(scratch, "plimsoll.db"), largeAdvisories());
  using registry = await startRegistry(scratch);
  using scanner = await startServer("plimsoll", join(scratch, "scanner.db"));
  await pushImage(registry, "first/app");
  await insertTags(
    registry.database,
    "app",
    times(20_000, (at) => `${at}`.padStart(128, "ab")),
  );
  const labels = await storedLabels(registry, 60_000);
  const policies = "/api/v1/repository/first/app/autoprunepolicy/";
  const costlyPattern = { method: "number_of_tags", value: 1_000_000, tagPattern: `(.?){50}(a|b)*a(a|b){10}!` };
  await call(registry, { method: "POST", path: policies, authorization: registry.bearer, body: costlyPattern });
  console.log(
    `load ${loadavg()[0]?.toFixed(1)}; in ms: p50 of the request, processor time of one, longest block, processor time of the longest block, p50 and p99 of the other client`,
  );
  const all = [
    { title: "nothing", path: "/v2/" },
    ...rows(),
    put("manifest: configuration with 60,000 labels", labels),
    put(
      "manifest: an annotation of nested lists",
      manifest(`"annotations":{"a":"${"[".repeat(3.5e6)}${"]".repeat(3.5e6)}"}`),
    ),
    { ...put("manifest: 1,000 annotations of 8 kB, 8 clients", largeManifest), clients: 8 },
    ...(isWanted("stored") ? await rowsOfStoredImages(registry) : []),
    api("mirror: globs of 10,000 characters", "repository/first/app/mirror", mirrorOf("*a?".repeat(3_300))),
    ...(isWanted("large") ? await rowsOfLargeImage(registry) : []),
    api(
      "immutability policy over 20,000 tags",
      "repository/first/app/immutabilitypolicy/",
      `{"tagPattern":"(.?){50}(a|b)*a(a|b){10}!"}`,
    ),
  ];
  for (const row of all)
    if (row.title === "nothing" || row.title.includes(only))
      await measure(registry, row, row.title.startsWith("scanner") ? scanner : registry);
} finally {
  rmSync(scratch, { recursive: true });
}
