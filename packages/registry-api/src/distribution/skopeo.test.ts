import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { findAccount } from "@plimsoll/registry/access/queries";
import { deriveKey } from "@plimsoll/registry/crypto/secrets";
import { hashQuickly } from "@plimsoll/registry/fixtures/quick-passwords";
import { buildImage, buildIndex, buildLayer, ociLayoutTree, skipNote, testEngines } from "@plimsoll/testing";
import type { FastifyInstance } from "fastify";
import { describe, expect, it } from "vitest";
import { openTestDistribution } from "../fixtures/test-distribution.ts";
import type { ServedRegistry } from "../http/served-registry.ts";
import { createRegistryAuth } from "./identify-caller.ts";
import { registerTokenService } from "./token-service.ts";

const isInstalled = spawnSync("skopeo", ["--version"]).status === 0;
const run = promisify(execFile);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

function tokenAuth(app: FastifyInstance, registry: ServedRegistry) {
  const tokenKey = deriveKey(new Uint8Array(32).fill(7), "registry tokens");
  const options = { ...registry, db: registry.store.db, tokenKey, onlyVerified: false };
  const auth = createRegistryAuth(options);
  registerTokenService(app, options, auth);
  return auth;
}

/** A registry with the token service and the passwords of users, and `skopeo` logged in as `alice`. */
async function openWorld(engine: (typeof testEngines)[number]) {
  await using resources = new AsyncDisposableStack();
  const port = await freePort();
  const settings = { host: `127.0.0.1:${port}` };
  const world = resources.use(await openTestDistribution({ engine, port, settings, auth: tokenAuth }));
  world.registry.time.now = Date.now(); // a library with its own clock reads the tokens
  const password_hash = await hashQuickly("sesame open");
  await world.store.db.updateTable("account").set({ password_hash }).execute();
  const folder = await mkdtemp(join(tmpdir(), "plimsoll-skopeo-"));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  const owned = resources.move();
  return {
    ...world,
    folder,
    skopeo: async (command: string, ...args: readonly string[]) => {
      const { stdout } = await run("skopeo", ["--insecure-policy", command, ...args], { maxBuffer: 1 << 24 });
      return stdout;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function writeLayout(folder: string) {
  const base = await buildLayer({ "etc/os-release": "ID=test\n" });
  const image = buildImage({ layers: [base, await buildLayer({ "app/a": "a".repeat(100_000) })] });
  const other = buildImage({ layers: [base], platform: { os: "linux", architecture: "arm64" } });
  const index = buildIndex([image, other]);
  for (const [path, content] of Object.entries(ociLayoutTree({ image, index }))) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content as Uint8Array);
  }
  return { image, index };
}

const engines = testEngines.filter(({ name }) => name !== "SQLite memory");
const creds = "alice:sesame open";

describe.each(engines.map((engine) => ({ engine, title: engine.name })))("/v2 for skopeo on $title", ({ engine }) => {
  const skip = isInstalled ? engine.skip : "skopeo is not installed";

  it.skipIf(skip !== undefined)(`pushes, lists, copies, inspects, pulls and deletes${skipNote(skip)}`, async () => {
    await using world = await openWorld(engine);
    const { skopeo, folder } = world;
    const { image, index } = await writeLayout(join(folder, "layout"));
    const at = (reference: string) => `docker://${world.host}/alice/${reference}`;
    const plain = ["--tls-verify=false", "--creds", creds];
    const both = ["--src-tls-verify=false", "--dest-tls-verify=false", "--src-creds", creds, "--dest-creds", creds];
    const push = (...args: readonly string[]) =>
      skopeo("copy", "--dest-tls-verify=false", "--dest-creds", creds, ...args);

    await push(`oci:${folder}/layout:image`, at("one:latest"));
    await push("--all", `oci:${folder}/layout:index`, at("one:all"));
    await skopeo("copy", "--all", ...both, at("one:all"), at("two/deep:all"));
    const pulled = `oci:${folder}/pulled:latest`;
    await skopeo("copy", "--src-tls-verify=false", "--src-creds", creds, at("one:latest"), pulled);

    const inspected = JSON.parse(await skopeo("inspect", ...plain, at("one:latest"))) as Record<string, unknown>;
    expect(inspected).toMatchObject({ Digest: image.digest, Architecture: "amd64", RepoTags: ["all", "latest"] });
    const raw = await skopeo("inspect", "--raw", ...plain, at("two/deep:all"));
    expect(raw).toBe(Buffer.from(index.bytes).toString());
    expect(JSON.parse(await skopeo("list-tags", ...plain, at("one")))).toMatchObject({ Tags: ["all", "latest"] });

    const alice = await findAccount(world.store.db, "alice", "user");
    if (alice === undefined) throw new Error("no alice");
    const call = await world.registry.session(alice);
    const gate = "/repository/alice/one/pullgate";
    await call("PUT", gate, { pending: "deny" });
    const pull = () => skopeo("copy", "--src-tls-verify=false", "--src-creds", creds, at("one:latest"), pulled);
    await expect(pull()).rejects.toThrow(/pull gate of the repository .* not scanned yet/);
    const expires = new Date(world.registry.time.now + 3_600_000).toISOString().replace(/\.\d+Z/, "Z");
    const exception = { image: "alice/one:latest", reason: "test", expires };
    const { body } = await call("POST", `${gate}/exceptions`, exception);
    await pull();
    await call("DELETE", `${gate}/exceptions/${body.uuid}`);
    await expect(pull()).rejects.toThrow(/pull gate/);
    await call("PUT", gate, { pending: "deny", mode: "dry_run" });
    await pull();

    await expect(skopeo("delete", ...plain, at("one:latest"))).rejects.toThrow(/image index .* needs the manifest/);
    await skopeo("delete", ...plain, at("one:all"));
    await skopeo("delete", ...plain, at("one:latest"));
    await expect(skopeo("inspect", ...plain, at("one:latest"))).rejects.toThrow(/manifest unknown/);
    const wrong = ["--tls-verify=false", "--creds", "alice:wrong"];
    await expect(skopeo("inspect", ...wrong, at("two/deep:all"))).rejects.toThrow(
      /invalid username\/password|unauthorized/,
    );
    await expect(skopeo("inspect", "--tls-verify=false", "--no-creds", at("two/deep:all"))).rejects.toThrow(
      /unauthorized/,
    );
  });
});
