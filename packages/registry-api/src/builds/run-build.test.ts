import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { BuildError, type BuildProgress, type ImageBuilder } from "@plimsoll/registry/ports/building";
import { listJobs } from "@plimsoll/store";
import { buildImage, buildLayer, ociLayoutTree, packTree, skipNote, type Tree, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { noBuildah, openBuildWorld } from "./fixtures/build-world.ts";
import { shellTree } from "./fixtures/shell-tree.ts";

const archive_url = "https://archives.example/app.tar.gz";
const engines = testEngines.filter(({ name }) => name !== "SQLite memory");

async function world(engine: (typeof testEngines)[number], tree: Tree) {
  return openBuildWorld({ engine, archives: { [archive_url]: gzipSync(await packTree(tree)) } });
}

describe.each(engines.map((engine) => ({ engine, title: engine.name })))(
  "runBuild by buildah, on $title",
  ({ engine }) => {
    const skip = noBuildah ?? engine.skip;

    it.skipIf(skip !== undefined)(`builds, pushes, and builds on what it has pushed${skipNote(skip)}`, async () => {
      await using registry = await world(engine, {
        "src/base/Dockerfile": "FROM scratch\nARG WORD=none\nCOPY a /a\nLABEL word=$WORD\n",
        "src/base/a": "the file",
        "src/next/Dockerfile": "ARG FROM\nFROM $FROM\nCOPY b /b\n",
        "src/next/b": "another",
      });
      for (const event of ["build_start", "build_success", "build_failure"]) {
        const hook = { event, method: "webhook", config: { url: "https://hooks.example/x" }, eventConfig: {} };
        await registry.call("POST", "/repository/alice/app/notification/", hook);
      }

      const base = await registry.request({
        archive_url,
        subdirectory: "src/base",
        tags: ["base", "v1"],
        build_args: { WORD: "seven" },
      });
      await registry.runOne();
      const next = await registry.request({
        archive_url,
        dockerfile_path: "src/next/Dockerfile",
        tags: ["next"],
        build_args: { FROM: `${registry.host}/alice/app:base` },
      });
      await registry.runOne();

      expect(await registry.status(base.id)).toMatchObject({ phase: "complete", error: null });
      const { logs, total } = await registry.log(next.id);
      expect(await registry.status(next.id), JSON.stringify(logs)).toMatchObject({ phase: "complete", error: null });
      const phases = logs.filter(({ type }) => type === "phase").map(({ message }) => message);
      expect(phases).toEqual(["build-scheduled", "unpacking", "pulling", "building", "pushing", "complete"]);
      expect(logs.map(({ message }) => message).join("\n")).toMatch(/STEP 2\/2: COPY b/);
      expect((await registry.log(next.id, total - 1)).logs).toEqual(logs.slice(-1));

      const manifest = (await (await registry.pull("manifests/next")).json()) as Manifest;
      expect(manifest.layers).toHaveLength(2);
      const one = (await (await registry.pull("manifests/v1")).json()) as Manifest;
      expect(one).toEqual(await (await registry.pull("manifests/base")).json());
      const config = (await (await registry.pull(`blobs/${one.config.digest}`)).json()) as ImageConfig;
      expect(config.config.Labels).toMatchObject({ word: "seven" });

      const events = await listJobs(registry.store.db, { kind: "registry.deliver-notification" });
      const told = events.map(({ payload }) => (payload as { event: Record<string, unknown> }).event);
      expect(told.filter(({ build_id }) => build_id === next.id)).toMatchObject([
        ...[expect.objectContaining({ docker_tags: ["next"] }), expect.objectContaining({ docker_tags: ["next"] })],
      ]);
      expect(told.filter(({ manifest_digests }) => manifest_digests !== undefined)).toHaveLength(2);
      expect(await registry.remains()).toEqual([]);
      const rows = await registry.store.db.selectFrom("build").select("token_hash").execute();
      expect(rows.map(({ token_hash }) => token_hash)).toEqual([null, null]);
    });

    it.skipIf(skip !== undefined)(`says why a build failed, and tries no second time${skipNote(skip)}`, async () => {
      await using resources = new AsyncDisposableStack();
      const layout = `/tmp/plimsoll-layout-${randomUUID()}`; // a Dockerfile cannot name a path with spaces, as that of `tmpdir()` may be
      resources.defer(() => rm(layout, { recursive: true }));
      await writeLayout(layout);
      await using registry = await world(engine, {
        "missing/Dockerfile": "FROM scratch\nCOPY none /none\n",
        "exit/Dockerfile": 'FROM scratch\nCOPY root/ /\nRUN ["/bin/sh", "-c", "echo so far; exit 3"]\n',
        ...shellTree("exit/root"),
        "outside/Dockerfile": `FROM oci:${layout}:image\nCOPY none /none\n`,
        "none/README": "",
      });
      const rows = [
        ["missing", "building", /The build failed: buildah bud ended with exit code \d+/, /none.*no such file/],
        ["exit", "building", /The build failed: buildah bud ended with exit code \d+/, /so far[\s\S]*exit status 3/],
        ["outside", "pulling", /cannot be fetched: .* is not an image reference/, /not an image reference/],
        ["none", "unpacking", /The archive has no file "\/none\/Dockerfile"/, /no file/],
      ] as const;

      for (const [subdirectory, last, error, log] of rows) {
        const { id } = await registry.request({ archive_url, subdirectory });
        await registry.runOne();

        const { logs } = await registry.log(id);
        const text = logs.map(({ message }) => message).join("\n");
        expect(await registry.status(id), text).toMatchObject({
          phase: "error",
          error: expect.stringMatching(error),
        });
        expect(text).toMatch(log);
        const phases = logs.filter(({ type }) => type === "phase").map(({ message }) => message);
        expect(phases.slice(-2)).toEqual([last, "error"]);
        expect(await registry.runOne()).toBe(false);
      }
      expect(await registry.remains()).toEqual([]);
    });

    it.skipIf(skip !== undefined)(`ends what runs when the build is cancelled${skipNote(skip)}`, async () => {
      await using registry = await world(engine, {
        Dockerfile: 'FROM scratch\nCOPY root/ /\nRUN ["/bin/sh", "-c", "echo sleeping now; sleep 1000"]\n',
        ...shellTree("root"),
      });
      const worker = registry.startWorker();
      const { id } = await registry.request({ archive_url });
      const said = async () => (await registry.log(id)).logs.map(({ message }) => message);
      await expect.poll(said).toContain("sleeping now"); // while it runs

      const { status } = await registry.cancel(id);

      expect(status).toBe(204);
      await expect.poll(() => registry.remains()).toEqual([]);
      expect(await registry.status(id)).toMatchObject({ phase: "cancelled" });
      expect(await registry.runOne()).toBe(false);
      await worker.stop();
      expect((await registry.log(id)).logs.at(-1)).toMatchObject({ type: "phase", message: "cancelled" });
    });
  },
);

/** An image that is on the disk of the machine. */
async function writeLayout(folder: string): Promise<void> {
  const image = buildImage({ layers: [await buildLayer({ secret: "of the machine" })] });
  for (const [path, content] of Object.entries(ociLayoutTree({ image }))) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content as Uint8Array);
  }
}

interface Manifest {
  readonly config: { readonly digest: string };
  readonly layers: readonly unknown[];
}

interface ImageConfig {
  readonly config: { readonly Labels: Readonly<Record<string, string>> };
}

const [memory = testEngines[0]] = testEngines;

function builderOf(build: () => AsyncGenerator<BuildProgress>): ImageBuilder {
  return { build };
}

describe("runBuild", () => {
  const archives = { [archive_url]: new Uint8Array(1024) };
  const pushed = { kind: "pushed", digest: "sha256:1" } as const;
  if (memory === undefined) throw new Error("there is no engine");

  it("retries temporary failures up to three times, and then reports the failure", async () => {
    const imageBuilder = builderOf(async function* () {
      yield { kind: "phase", phase: "pushing" };
      throw new Error("the registry was away");
    });
    await using registry = await openBuildWorld({ engine: memory, archives, imageBuilder });
    const { id } = await registry.request({ archive_url });
    const due = () => registry.store.db.updateTable("jobs" as never).set({ turn: 0, due_at: 0 } as never);

    const seen: string[] = [];
    for (let turn = 0; turn < 3; turn++) {
      await registry.runOne();
      seen.push((await registry.status(id)).phase);
      await due().execute();
    }

    expect(seen).toEqual(["waiting", "waiting", "internalerror"]);
    expect(await registry.status(id)).toMatchObject({ error: "the registry was away" });
    expect(await registry.runOne()).toBe(false);
  });

  it.each([
    { why: /its worker was lost 11 times/, row: { losses: 11, attempts: 1 }, phase: "internalerror", began: true },
    { why: /it had waited for too long/, row: { expires_at: 1 }, phase: "expired", began: false },
  ])("ends a build whose job is given up, since $why, and emits the event", async ({ why, row, phase, began }) => {
    const imageBuilder = builderOf(async function* () {
      yield { kind: "phase", phase: "building" };
      throw new Error("the registry was away");
    });
    await using registry = await openBuildWorld({ engine: memory, archives, imageBuilder });
    const hook = {
      event: "build_failure",
      method: "webhook",
      config: { url: "https://hooks.example/x" },
      eventConfig: {},
    };
    await registry.call("POST", "/repository/alice/app/notification/", hook);
    const { id } = await registry.request({ archive_url });
    const jobs = registry.store.db.updateTable("jobs" as never);
    if (began) await registry.runOne();
    await jobs.set({ turn: 0, due_at: 0, ...row } as never).execute();

    await registry.runOne();

    const status = await registry.status(id);
    expect(status).toMatchObject({
      phase,
      error: expect.stringMatching(why),
    });
    expect((await registry.log(id)).logs.slice(-2)).toMatchObject([
      { type: "error", message: status.error },
      { message: phase },
    ]);
    expect(await listJobs(registry.store.db, { kind: "registry.deliver-notification" })).toMatchObject([
      { payload: { event: { build_id: id, error_message: status.error } } },
    ]);
    const secrets = await registry.store.db.selectFrom("build").select("token_hash").execute();
    expect(secrets).toEqual([{ token_hash: null }]);
  });

  it("ends a build that takes too long, logs that, and does not retry it", async () => {
    let aheadMs = 0;
    const clock = { now: () => Date.now() + aheadMs };
    const imageBuilder: ImageBuilder = {
      async *build(_order, { signal }) {
        yield { kind: "phase", phase: "building" };
        aheadMs = 2 * 3_600_000;
        await once(signal, "abort");
        signal.throwIfAborted();
      },
    };
    await using registry = await openBuildWorld({ engine: memory, archives, imageBuilder, clock });
    const { id } = await registry.request({ archive_url });

    await registry.runOne();

    const late = "The build did not end within 2 hours";
    expect(await registry.status(id)).toMatchObject({ phase: "error", error: late });
    const { logs } = await registry.log(id);
    expect(logs.slice(-2)).toMatchObject([{ message: late }, { message: "error" }]);
    expect(await registry.runOne()).toBe(false);
  });

  it("does not change a build that another attempt has", async () => {
    let take = async () => {};
    const imageBuilder = builderOf(async function* () {
      await take();
      yield { kind: "phase", phase: "pushing" };
      yield pushed;
    });
    await using registry = await openBuildWorld({ engine: memory, archives, imageBuilder });
    const { id } = await registry.request({ archive_url });
    take = async () => {
      await registry.store.db.updateTable("build").set({ token_hash: "of another attempt" }).execute();
    };

    await registry.runOne();

    expect(await registry.status(id)).toMatchObject({ phase: "build-scheduled" });
  });

  it("gives an attempt a secret for its repository alone, which ends with it", async () => {
    const answers: unknown[] = [];
    let host = "";
    let secret = "";
    const ask = async (repository: string) => {
      const scope = `repository:${repository}:pull,push`;
      const authorization = `Basic ${Buffer.from(`$build:${secret}`).toString("base64")}`;
      const url = `http://${host}/v2/auth?service=${host}&scope=${scope}`;
      const answer = await fetch(url, { headers: { authorization } });
      if (!answer.ok) return answer.status;
      const { token } = (await answer.json()) as { readonly token: string };
      const { access } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as TokenClaims;
      return access.map(({ actions }) => actions.join());
    };
    const imageBuilder: ImageBuilder = {
      async *build({ push }) {
        secret = push.password;
        answers.push(await ask("alice/app"), await ask("alice/other"));
        yield pushed;
      },
    };
    await using registry = await openBuildWorld({ engine: memory, archives, imageBuilder });
    host = registry.host;
    const other = { namespace: "alice", repository: "other", visibility: "private", description: "" };
    await registry.call("POST", "/repository", other);
    await registry.request({ archive_url });

    await registry.runOne();

    expect(answers).toEqual([["push,pull"], [""]]);
    expect(await ask("alice/app")).toBe(401);
  });

  it("ends a build whose archive cannot be fetched, or lacks the described files", async () => {
    const imageBuilder = builderOf(async function* () {
      yield { kind: "phase", phase: "unpacking" };
      throw new BuildError("The archive has a device");
    });
    await using registry = await openBuildWorld({ engine: memory, archives, imageBuilder });
    const gone = await registry.request({ archive_url: "https://archives.example/gone" });
    const bad = await registry.request({ archive_url });
    await registry.runOne();
    await registry.runOne();

    expect(await registry.status(gone.id)).toMatchObject({
      phase: "error",
      error: expect.stringMatching(/answered 404/),
    });
    expect(await registry.status(bad.id)).toMatchObject({ phase: "error", error: "The archive has a device" });
  });
});

interface TokenClaims {
  readonly access: readonly { readonly actions: readonly string[] }[];
}
