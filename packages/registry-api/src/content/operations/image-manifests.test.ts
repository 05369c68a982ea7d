import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Digest, parseDigest } from "@plimsoll/core/digest";
import { type BlobStore, BlobStoreError } from "@plimsoll/registry/ports/blob-store";
import {
  basicScanner,
  type ReportWriter,
  type ScannableImage,
  type ScanOutcome,
} from "@plimsoll/registry/ports/scanning";
import type { ScanState } from "@plimsoll/registry/store/tables/content";
import { createFileBlobStore } from "@plimsoll/registry-adapters/files";
import { streamBytes } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry, type TestRegistryOptions } from "../../fixtures/test-registry.ts";
import { vulnerabilityReport, wholeCoverage } from "../../fixtures/test-reports.ts";
import { putManifest, putRepository, putTag } from "../../fixtures/test-repositories.ts";

const manifests = "/repository/ada/app/manifest";
const layer = "application/vnd.oci.image.layer.v1.tar+gzip";

async function openApp(options: TestRegistryOptions = {}) {
  const registry = await openTestRegistry(options);
  const ada = await registry.user("ada");
  const app = await putRepository(registry, { namespace: ada, name: "app", visibility: "public" });
  return { registry, ada, app };
}

async function openBlobs(): Promise<BlobStore & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), "plimsoll-blobs-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  return Object.assign(createFileBlobStore(folder), { [Symbol.asyncDispose]: remove });
}

async function putBlob(blobs: BlobStore, content: string): Promise<Digest> {
  const bytes = Buffer.from(content);
  const digest = parseDigest(`sha256:${createHash("sha256").update(bytes).digest("hex")}`);
  await blobs.append("00000000-0000-4000-8000-000000000000", streamBytes(bytes), { offset: 0, maxBytes: bytes.length });
  await blobs.commit("00000000-0000-4000-8000-000000000000", digest);
  await blobs.deleteUpload("00000000-0000-4000-8000-000000000000");
  return digest;
}

const layers = [
  { mediaType: layer, digest: `sha256:${"1".repeat(64)}`, size: 100 },
  { mediaType: layer, digest: `sha256:${"2".repeat(64)}`, size: 20, urls: ["https://example.com/layer"] },
] as const;
const elsewhere = {
  mediaType: "application/vnd.oci.image.layer.nondistributable.v1.tar+gzip",
  digest: `sha256:${"3".repeat(64)}`,
  size: 5,
};

/** Nothing is pushed here, so nothing is indexed. */
const unasked = {
  index: () => Promise.reject(new Error("not called in this test")),
  ...basicScanner,
  state: () => Promise.reject(new Error("not called in this test")),
};

describe("getRepoManifest", () => {
  it("shows the steps of an image as its configuration tells them", async () => {
    await using blobs = await openBlobs();
    const { registry, app } = await openApp({ ports: { blobs } });
    await using _ = registry;
    const history = [
      { created: "2026-01-02T03:04:05.678Z", created_by: "ADD rootfs", comment: "base", author: "Ada" },
      { created: "2026-01-02T03:04:06Z", created_by: "ENV A=B", empty_layer: true },
      { created: "soon", created_by: 5, comment: null },
    ];
    const config = await putBlob(blobs, JSON.stringify({ history }));
    const content = { config: { digest: config }, layers };
    const manifest = await putManifest(registry, app, { content });
    const mediaType = "application/vnd.oci.image.manifest.v1+json";

    const { status, body } = await registry.anonymous("GET", `${manifests}/${manifest.digest}`);

    const nothing = { is_remote: false, urls: null, command: null, comment: null, author: null };
    expect(status).toBe(200);
    expect(body).toEqual({
      digest: manifest.digest,
      is_manifest_list: false,
      manifest_data: JSON.stringify({ schemaVersion: 2, mediaType, ...content }),
      config_media_type: "application/vnd.oci.image.config.v1+json",
      layers_compressed_size: 120,
      layers: [
        {
          ...nothing,
          index: 0,
          compressed_size: 100,
          command: ["ADD rootfs"],
          comment: "base",
          author: "Ada",
          blob_digest: layers[0]?.digest,
          created_datetime: "Fri, 02 Jan 2026 03:04:05 -0000",
        },
        {
          ...nothing,
          index: 1,
          compressed_size: 0,
          command: ["ENV A=B"],
          blob_digest: "sha256:a3ed95caeb02ffe68cdd9fd84406680ae93d633cb16422d00e8a7c22955b46d4",
          created_datetime: "Fri, 02 Jan 2026 03:04:06 -0000",
        },
        {
          ...nothing,
          index: 2,
          compressed_size: 20,
          is_remote: true,
          urls: ["https://example.com/layer"],
          blob_digest: layers[1]?.digest,
          created_datetime: null,
        },
      ],
    });
  });

  it("takes a living tag for its manifest, and shows the tag", async () => {
    const { registry, ada, app } = await openApp();
    await using _ = registry;
    const { now } = registry.time;
    const manifest = await putManifest(registry, app, { content: { layers } });
    await putTag(registry, app, { name: "1.0", manifest });
    await putTag(registry, app, { name: "old", manifest, startAt: now - 2000, endAt: now - 1000 });
    const call = await registry.session(ada);
    const { kind, performer_name, metadata } = {
      kind: "push_repo",
      performer_name: "ada",
      metadata: '{"tag":"1.0"}',
    } as const;
    const place = { repository_id: app.id, namespace_id: ada.id, performer_id: ada.id, ip: null, at: now };
    await registry.store.db
      .insertInto("usage_log")
      .values({ ...place, kind, performer_name, metadata })
      .execute();

    const { body } = await call("GET", `${manifests}/1.0?pushers=true`);
    const missing = await call("GET", `${manifests}/old`);

    const tag = { name: "1.0", manifest_digest: manifest.digest, start_ts: Math.floor(now / 1000), pushed_by: "ada" };
    expect(body).toMatchObject({ digest: manifest.digest, tag });
    expect((await call("GET", `${manifests}/${manifest.digest}`)).body).not.toHaveProperty("tag");
    expect(missing).toMatchObject({ status: 404, body: { detail: expect.stringContaining('no tag "old"') } });
  });

  it("tells when it was first pushed, and by whom those who may read the usage log, where they ask for it", async () => {
    const { registry, ada, app } = await openApp();
    await using _ = registry;
    const pushed = await putManifest(registry, app, { content: { layers } });
    const { now } = registry.time;
    registry.time.now += 5000;
    const twice = await putManifest(registry, app, { content: { layers: [] } });
    const entry = (at: number, by: string | null) => {
      const place = { repository_id: app.id, namespace_id: ada.id, performer_id: ada.id, ip: null };
      return { ...place, kind: "push_repo" as const, at, performer_name: by, metadata: '{"tag":"a"}' };
    };
    const entries = [entry(now, "ada"), entry(now + 5000, "ada"), entry(now + 5000, "eve")];
    await registry.store.db.insertInto("usage_log").values(entries).execute();
    const ask = async (call: typeof registry.anonymous, digest: string, query = "?pushers=true") => {
      const { pushed_ts: at, pushed_by: by } = (await call("GET", `${manifests}/${digest}${query}`)).body;
      return [at, by];
    };
    const asAdmin = await registry.session(ada);
    const seconds = Math.floor(now / 1000);

    expect(await ask(asAdmin, pushed.digest)).toEqual([seconds, "ada"]);
    expect(await ask(asAdmin, twice.digest)).toEqual([seconds + 5, undefined]);
    expect(await ask(registry.anonymous, pushed.digest)).toEqual([seconds, undefined]);
    expect(await ask(asAdmin, pushed.digest, "")).toEqual([undefined, undefined]);
  });

  it.each([
    { what: "is missing", config: undefined },
    { what: "is no JSON", config: "not JSON" },
    { what: "is null", config: "null" },
    { what: "has another number of steps", config: JSON.stringify({ history: [{ created_by: "x" }] }) },
    { what: "has no steps", config: JSON.stringify({ history: "none" }) },
  ])("shows the bare layers where the configuration $what", async ({ config }) => {
    await using blobs = await openBlobs();
    const { registry, app } = await openApp({ ports: { blobs } });
    await using _ = registry;
    const digest = config === undefined ? `sha256:${"c".repeat(64)}` : await putBlob(blobs, config);
    const manifest = await putManifest(registry, app, { content: { config: { digest }, layers } });

    const { body } = await registry.anonymous("GET", `${manifests}/${manifest.digest}`);

    expect(body.layers).toMatchObject(layers.map((each) => ({ blob_digest: each.digest, command: null })));
  });

  it("reports that the blob store cannot be used, without details of the store", async () => {
    await using folder = await openBlobs();
    const failure = new BlobStoreError("unavailable", "AKIASECRET is not answered by s3.internal");
    const blobs: BlobStore = { ...folder, find: () => Promise.reject(failure) };
    const lines: string[] = [];
    const log = { write: (line: string) => void lines.push(line) };
    const { registry, app } = await openApp({ ports: { blobs }, log });
    await using _ = registry;
    const manifest = await putManifest(registry, app, {
      content: { config: { digest: `sha256:${"c".repeat(64)}` }, layers },
    });

    const { status, headers, body } = await registry.anonymous("GET", `${manifests}/${manifest.digest}`);

    expect({ status, retryAfter: headers["retry-after"], body }).toMatchObject({
      status: 503,
      retryAfter: "5",
      body: { title: "unavailable", detail: "the blob store cannot be used at the moment: try again later" },
    });
    expect(JSON.stringify(body)).not.toContain("AKIASECRET");
    expect(lines.filter((line) => line.includes("request_failed"))).toEqual([]); // an outage is logged once, by the watch on the store
  });

  it("shows a list of manifests without layers", async () => {
    const { registry, app } = await openApp();
    await using _ = registry;
    const index = await putManifest(registry, app, { content: { manifests: [] }, isIndex: true });

    const { body } = await registry.anonymous("GET", `${manifests}/${index.digest}`);

    expect(body).toMatchObject({ is_manifest_list: true, layers: null, layers_compressed_size: 0 });
  });

  it("does not find a manifest whose tags have all ended, unless an index lists it", async () => {
    const { registry, app } = await openApp();
    await using _ = registry;
    const { now } = registry.time;
    const ended = await putManifest(registry, app, { content: { layers: [] } });
    const child = await putManifest(registry, app, { content: { layers } });
    const alive = await putManifest(registry, app, { content: { layers, annotations: { a: "b" } } });
    const index = await putManifest(registry, app, { content: { manifests: [] }, isIndex: true });
    for (const manifest of [ended, child, alive]) {
      await putTag(registry, app, { name: manifest.id.slice(-8), manifest, startAt: now - 2000, endAt: now - 1000 });
    }
    await putTag(registry, app, { name: "latest", manifest: alive });
    await registry.store.db
      .insertInto("manifest_child")
      .values({ manifest_id: index.id, child_id: child.id })
      .execute();
    const statusOf = async ({ digest }: { digest: string }) =>
      (await registry.anonymous("GET", `${manifests}/${digest}`)).status;

    expect([await statusOf(ended), await statusOf(child), await statusOf(alive)]).toEqual([404, 200, 200]);
  });

  it.each([`sha256:${"0".repeat(64)}`, "latest", "sha256:x"])("answers 404 to %s", async (reference) => {
    const { registry } = await openApp();
    await using _ = registry;

    expect((await registry.anonymous("GET", `${manifests}/${reference}`)).status).toBe(404);
  });
});

describe("getRepoManifestSecurity", () => {
  const scanned: ScanOutcome = { status: "scanned", report: vulnerabilityReport, coverage: wholeCoverage };
  const nothing = { ...vulnerabilityReport, packages: {}, environments: {}, package_vulnerabilities: {} };
  const problem = { at: "lib/apk/db/installed", code: "malformed_package_db", message: "is no text" } as const;
  const unread = { ...wholeCoverage, status: "partial", problems: [problem] } as const;
  const image = { layers: [layers[0]] } as const;

  it.each<{ what: string; state?: ScanState; content?: object; outcome?: ScanOutcome; status: ScanState }>([
    { what: "the scanner has a report", outcome: scanned, status: "scanned" },
    { what: "the scanner has no report", outcome: { status: "queued" }, status: "queued" },
    {
      what: "the scanner has no report of what was scanned",
      state: "scanned",
      outcome: { status: "queued" },
      status: "queued",
    },
    { what: "the scanner failed", outcome: { status: "failed", reason: "cut off" }, status: "failed" },
    { what: "nothing was found in the whole image", outcome: { ...scanned, report: nothing }, status: "scanned" },
    { what: "nothing could be read", outcome: { ...scanned, report: nothing, coverage: unread }, status: "failed" },
    { what: "something could not be read", outcome: { ...scanned, coverage: unread }, status: "scanned" },
    {
      what: "nothing was found and a layer is elsewhere",
      content: { layers: [layers[0], elsewhere] },
      outcome: { ...scanned, report: nothing },
      status: "failed",
    },
    { what: "all layers are elsewhere", content: { layers: [elsewhere] }, outcome: scanned, status: "unsupported" },
    { what: "there is no scanner", status: "queued" },
    { what: "the scan failed", state: "failed", outcome: scanned, status: "failed" },
    { what: "it cannot be scanned", state: "unsupported", status: "unsupported" },
    { what: "a layer is too large", state: "manifest_layer_too_large", status: "manifest_layer_too_large" },
    { what: "it has no layers", content: { layers: [] }, outcome: scanned, status: "unsupported" },
    {
      what: "it is a signature",
      content: { layers: [{ mediaType: "application/vnd.dev.cosign.simplesigning.v1+json", digest: "", size: 1 }] },
      outcome: scanned,
      status: "unsupported",
    },
  ])("answers $status where $what", async ({ state, content = image, outcome, status }) => {
    const ports = outcome === undefined ? {} : { imageScanner: { ...unasked, find: async () => outcome } };
    const { registry, app } = await openApp({ ports });
    await using _ = registry;
    const manifest = await putManifest(registry, app, { content });
    if (state !== undefined) {
      const rest = { reason: null, attempts: 1, index_state: null, changed_at: registry.time.now };
      await registry.store.db
        .insertInto("manifest_scan")
        .values({ manifest_id: manifest.id, state, ...rest })
        .execute();
    }

    const { body } = await registry.anonymous("GET", `${manifests}/${manifest.digest}/security`);

    expect(body.status).toBe(status);
    expect(body.data === null).toBe(status !== "scanned");
  });

  it.each(["", "?vulnerabilities=false"])("lets others go on while it writes a long report%s", async (query) => {
    const packages = Object.fromEntries(
      Array.from({ length: 50_000 }, (_, n) => [String(n), { id: String(n), name: `package-${n}`, version: "1.0" }]),
    );
    const report = { ...nothing, packages } as typeof nothing;
    const ports = { imageScanner: { ...unasked, find: async () => ({ ...scanned, report }) } };
    const { registry, app } = await openApp({ ports });
    await using _ = registry;
    const manifest = await putManifest(registry, app, { content: image });
    const turns = countTurns();

    const answer = await registry.anonymous("GET", `${manifests}/${manifest.digest}/security${query}`);

    expect(answer.body.data.Layer.Features).toHaveLength(50_000);
    expect(answer.headers).not.toHaveProperty("content-length");
    expect(turns.end()).toBeGreaterThan(5);
  });

  it.each([
    { query: "", compatibility: "contract", isIncluded: true },
    { query: "?vulnerabilities=true", compatibility: "contract", isIncluded: true },
    { query: "?vulnerabilities=false", compatibility: "contract", isIncluded: false },
    { query: "?vulnerabilities=false", compatibility: "reference", isIncluded: true },
  ] as const)("includes vulnerabilities with '$query' in the profile $compatibility: $isIncluded", async (each) => {
    const { query, compatibility, isIncluded } = each;
    const ports = { imageScanner: { ...unasked, find: async () => scanned } };
    const { registry, app } = await openApp({ ports, settings: { compatibility } });
    await using _ = registry;
    const manifest = await putManifest(registry, app, { content: image });

    const { body } = await registry.anonymous("GET", `${manifests}/${manifest.digest}/security${query}`);

    const [feature] = body.data.Layer.Features;
    expect(feature).toMatchObject({ Name: expect.any(String), Version: expect.any(String) });
    const found = ["Vulnerabilities", "CVEIds", "BaseScores"].filter((name) => name in feature);
    expect(found).toHaveLength(isIncluded ? 3 : 0);
  });

  it("is a file in a format of other tools, with the name of the repository and the digest", async () => {
    const reportWriter: ReportWriter = { write: async ({ reference, format }) => [format, ` of ${reference}`] };
    const ports = { imageScanner: { ...unasked, find: async () => scanned }, reportWriter };
    const { registry, app } = await openApp({ ports });
    await using _ = registry;
    const { digest } = await putManifest(registry, app, { content: image });
    const read = async (format: string) =>
      registry.anonymous("GET", `${manifests}/${digest}/security/report?format=${format}`);

    const { body } = await read("csv");

    const content = `csv of ${app.namespace}/${app.name}@${digest}`;
    const file_name = `${app.name}-${digest.slice(7, 19)}.csv`;
    expect(body).toEqual({ status: "scanned", document: { file_name, media_type: "text/csv", content } });
    expect((await read("sarif")).body.document.media_type).toBe("application/sarif+json");
    expect((await read("exe")).status).toBe(400);
  });

  it("is compared with another image of the repository", async () => {
    const packages = { ...vulnerabilityReport.packages };
    const { "10": _, ...environments } = vulnerabilityReport.environments;
    delete (packages as Record<string, unknown>)["10"];
    const package_vulnerabilities = { "2": ["1"] };
    const earlier = { ...scanned, report: { ...vulnerabilityReport, packages, environments, package_vulnerabilities } };
    const digests: string[] = [];
    const find = async ({ digest }: ScannableImage) => (digest === digests[0] ? earlier : scanned);
    const { registry, app } = await openApp({ ports: { imageScanner: { ...unasked, find } } });
    await using _registry = registry;
    for (const size of [1, 2])
      digests.push((await putManifest(registry, app, { content: { layers: [{ ...layers[0], size }] } })).digest);
    const [before = "", after = ""] = digests;

    const path = `${manifests}/${after}/security/diff?before=`;
    const { body } = await registry.anonymous("GET", `${path}${before}`);

    const finding = {
      name: "GHSA-c2qf-rxjj-qqgw",
      severity: "High",
      package: "semver",
      version: "7.5.1",
      fixed_by: "",
    };
    expect(body).toEqual({
      status: "scanned",
      before: { digest: before },
      diff: {
        packages: { added: [{ name: "semver", version: "7.5.1" }], removed: [], changed: [] },
        findings: { added: [{ ...finding, cause: "package-added" }], removed: [], unchanged: 1 },
        partial: false,
      },
    });
    expect((await registry.anonymous("GET", `${path}sha256:${"0".repeat(64)}`)).status).toBe(404);
  });

  it("is compared with the image of a tag, and of a list with that of a platform", async () => {
    const find = async (): Promise<ScanOutcome> => scanned;
    const { registry, app } = await openApp({ ports: { imageScanner: { ...unasked, find } } });
    await using _registry = registry;
    const put = (size: number) => putManifest(registry, app, { content: { layers: [{ ...layers[0], size }] } });
    const [amd64, arm64, attestation, after] = [await put(1), await put(2), await put(3), await put(4)];
    const platforms = [
      { digest: attestation.digest, platform: { os: "unknown", architecture: "unknown" } },
      { digest: amd64.digest, platform: { os: "linux", architecture: "amd64" } },
      { digest: arm64.digest, platform: { os: "linux", architecture: "arm64", variant: "v8" } },
      { digest: `sha256:${"0".repeat(64)}`, platform: { os: "windows", architecture: "amd64" } },
    ];
    const list = await putManifest(registry, app, { content: { manifests: platforms }, isIndex: true });
    await putTag(registry, app, { name: "list", manifest: list });
    await putTag(registry, app, { name: "one", manifest: amd64 });
    await putTag(registry, app, { name: "next", manifest: after });
    const ask = (query: string) => registry.anonymous("GET", `${manifests}/next/security/diff?before=${query}`);

    const names = ["linux/amd64", "linux/arm64/v8", "windows/amd64"];
    expect((await ask("one")).body.before).toEqual({ digest: amd64.digest });
    expect((await ask("list")).body.before).toEqual({ digest: amd64.digest, platform: names[0], platforms: names });
    expect((await ask("list&platform=linux/arm64/v8")).body.before).toMatchObject({ digest: arm64.digest });
    const statuses = [];
    for (const query of ["list&platform=linux/s390x", "list&platform=windows/amd64", "none"])
      statuses.push((await ask(query)).status);
    expect(statuses).toEqual([404, 404, 404]);
  });

  it("says why a scan failed", async () => {
    const find = async (): Promise<ScanOutcome> => ({ status: "scanned", report: nothing, coverage: unread });
    const { registry, app } = await openApp({ ports: { imageScanner: { ...unasked, find } } });
    await using _ = registry;
    const manifest = await putManifest(registry, app, { content: image });

    const { body } = await registry.anonymous("GET", `${manifests}/${manifest.digest}/security`);

    expect(body).toEqual({ status: "failed", data: null, reason: "lib/apk/db/installed: is no text" });
  });

  it("asks for the image by its digest and its layers", async () => {
    const asked: ScannableImage[] = [];
    const find = async (image: ScannableImage): Promise<ScanOutcome> => {
      asked.push(image);
      return { status: "queued" };
    };
    const { registry, app } = await openApp({ ports: { imageScanner: { ...unasked, find } } });
    await using _ = registry;
    const manifest = await putManifest(registry, app, { content: image });

    await registry.anonymous("GET", `${manifests}/${manifest.digest}/security?vulnerabilities=false`);

    const [{ mediaType, digest }] = image.layers;
    expect(asked).toEqual([{ digest: manifest.digest, layers: [{ mediaType, digest }] }]);
  });

  it("says so when the scanner cannot be asked", async () => {
    const find = () => Promise.reject(new Error("connection refused by 10.0.0.1"));
    const { registry, app } = await openApp({ ports: { imageScanner: { ...unasked, find } } });
    await using _ = registry;
    const manifest = await putManifest(registry, app, { content: image });

    const answer = await registry.anonymous("GET", `${manifests}/${manifest.digest}/security`);

    expect(answer).toMatchObject({ status: 520, body: { title: "downstream_issue" } });
    expect(JSON.stringify(answer.body)).not.toContain("10.0.0.1");
  });

  it("is for readers", async () => {
    const { registry, ada } = await openApp();
    await using _ = registry;
    const call = await registry.session(ada);
    await call("POST", "/repository/ada/app/changevisibility", { visibility: "private" });
    const path = `${manifests}/sha256:${"0".repeat(64)}/security`;

    expect((await registry.anonymous("GET", path)).status).toBe(401);
    expect((await call("GET", path)).status).toBe(404);
  });

  it("is unknown where the feature is off", async () => {
    const { registry, ada, app } = await openApp({ features: { securityScanner: false } });
    await using _ = registry;
    const call = await registry.session(ada);
    const { digest } = await putManifest(registry, app, { content: image });

    expect((await call("GET", `${manifests}/${digest}/security`)).status).toBe(404);
  });
});

/** Counts how often the thread served other work. */
function countTurns() {
  let turns = 0;
  let next = setImmediate(count);
  function count() {
    turns++;
    next = setImmediate(count);
  }
  return {
    end() {
      clearImmediate(next);
      return turns;
    },
  };
}
