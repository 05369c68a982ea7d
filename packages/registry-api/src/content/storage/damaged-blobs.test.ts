/** Blobs that the store has lost or damaged: whoever finds one records it, and from then on every ordinary client heals it by pushing. */
import { execFileSync } from "node:child_process";
import { mkdir, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Digest, digestHex } from "@plimsoll/core/digest";
import { verifyBlobs } from "@plimsoll/registry/content/storage/copy-blobs";
import type { BlobStore } from "@plimsoll/registry/ports/blob-store";
import { createS3BlobStore } from "@plimsoll/registry-adapters/s3";
import { engineTitle, memoryTestEngine, startS3Server, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { errorOf } from "../../fixtures/each-engine.ts";
import {
  ociIndexType,
  ociManifestType,
  openTestDistribution,
  type TestDistribution,
} from "../../fixtures/test-distribution.ts";

const name = "alice/images";
const layer = "the content of a layer";

/** A registry whose blob store can be damaged behind its back. */
interface DamagedWorld extends AsyncDisposable {
  readonly world: TestDistribution;
  /** Gives a blob other bytes; undefined: removes it. */
  damage(digest: string, bytes: string | undefined): Promise<void>;
  /** Has the store fail when it reads a blob. */
  block(digest: string): Promise<void>;
}

function placeOf(digest: string): string {
  const hex = digestHex(digest as Digest);
  return `blobs/sha256/${hex.slice(0, 2)}/${hex}`;
}

async function linkToItself(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await symlink(path, path);
}

const worlds = testEngines.flatMap((engine) => [
  {
    title: `${engineTitle(engine)} and files`,
    skip: engine.skip,
    async open(): Promise<DamagedWorld> {
      const world = await openTestDistribution({ engine });
      return {
        world,
        async damage(digest, bytes) {
          const path = join(world.folder, placeOf(digest));
          if (bytes === undefined) return rm(path);
          await writeFile(path, bytes); // in place
          await utimes(path, 1, 1); // another time than before, even on a system with coarse ones
        },
        block: (digest) => linkToItself(join(world.folder, placeOf(digest))),
        [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
      };
    },
  },
  {
    title: `${engineTitle(engine)} and S3`,
    skip: engine.skip,
    async open(): Promise<DamagedWorld> {
      const server = await startS3Server();
      const world = await openTestDistribution({ engine, wrapBlobs: () => createS3BlobStore(server) });
      const objects = server.objects as Map<string, Uint8Array>;
      return {
        world,
        async damage(digest, bytes) {
          if (bytes === undefined) objects.delete(placeOf(digest));
          else objects.set(placeOf(digest), Buffer.from(bytes));
        },
        block: async (digest) => server.archive(placeOf(digest)),
        async [Symbol.asyncDispose]() {
          await world[Symbol.asyncDispose]();
          await server[Symbol.asyncDispose]();
        },
      };
    },
  },
]);

const damages = [
  { what: "is gone", bytes: undefined, fault: "missing" },
  { what: "is empty", bytes: "", fault: "wrong_size" },
  { what: "is cut off", bytes: layer.slice(0, 5), fault: "wrong_size" },
] as const;

/** The status of a request for a whole blob, and its content; "cut" if the response did not end. */
async function pull({ send }: TestDistribution, digest: string): Promise<string> {
  const response = await send("GET", `${name}/blobs/${digest}`);
  const text = await response.text().catch(() => "cut");
  return response.ok ? text : String(response.status);
}

async function head({ send }: TestDistribution, digest: string, repository = name): Promise<number> {
  return (await send("HEAD", `${repository}/blobs/${digest}`)).status;
}

/** Verifies all blobs, and records what it finds. @returns the problems */
async function verify({ store, blobs, registry }: TestDistribution): Promise<readonly string[]> {
  const found: string[] = [];
  const recordIn = { store, now: () => registry.time.now };
  for await (const { problem } of verifyBlobs({ db: store.db, blobs, recordIn })) found.push(problem);
  return found;
}

describe("a missing blob to which clients are redirected", () => {
  it("is found within an hour", async () => {
    await using server = await startS3Server();
    const wrapBlobs = () => createS3BlobStore({ ...server, redirectSeconds: 60 });
    await using world = await openTestDistribution({ engine: memoryTestEngine, wrapBlobs });
    const image = await world.pushImage(name, "1", { layer });
    const follow = async () => (await world.send("GET", `${name}/blobs/${image.layer}`)).status;
    expect(await follow()).toBe(307);
    (server.objects as Map<string, Uint8Array>).delete(placeOf(image.layer));

    world.registry.time.now += 3_600_000;
    expect(await follow()).toBe(307);

    await expect.poll(() => world.damaged).toHaveLength(1);
    expect(await follow()).toBe(404);
  });
});

describe("a blob that rots", () => {
  it("is compared with its digest once a day, although its store says that it was not written again", async () => {
    const wrapBlobs = (files: BlobStore): BlobStore => ({
      ...files,
      read: (digest, range, options = {}) => files.read(digest, range, { ...options, onVersion: undefined }),
    });
    await using world = await openTestDistribution({ engine: memoryTestEngine, wrapBlobs });
    const image = await world.pushImage(name, "1", { layer });
    await pull(world, image.layer);
    await writeFile(join(world.folder, placeOf(image.layer)), layer.toUpperCase());

    await pull(world, image.layer);
    expect(world.damaged).toEqual([]);
    world.registry.time.now += 86_400_000;
    await pull(world, image.layer);

    await expect.poll(() => world.damaged).toHaveLength(1);
  });
});

describe.each(worlds)("a damaged blob on $title", ({ skip, open }) => {
  const test = it.skipIf(skip !== undefined);

  test.each(damages)("that $what is healed by a push, after a client has found it", async ({ bytes, fault }) => {
    await using opened = await open();
    const { world, damage } = opened;
    const image = await world.pushImage(name, "1", { layer });
    await damage(image.layer, bytes);
    expect(await head(world, image.layer)).toBe(200); // nobody knows

    expect(await pull(world, image.layer)).toMatch(/^(404|cut)$/);

    await expect.poll(() => world.damaged).toMatchObject([{ digest: image.layer, sizeBytes: layer.length, fault }]);
    const lost = await world.send("GET", `${name}/blobs/${image.layer}`);
    const unknown = await world.send("GET", `alice/other/blobs/${image.layer}`);
    expect(await lost.json()).toMatchObject({
      errors: [{ code: "BLOB_UNKNOWN", message: expect.stringMatching(/is lost or damaged.*push the image again/) }],
    });
    expect(await unknown.text()).not.toContain("damaged");
    expect(await head(world, image.layer)).toBe(404);
    expect(await head(world, image.config)).toBe(200);
    const mount = await world.send("POST", `alice/other/blobs/uploads/?mount=${image.layer}&from=${name}`);
    expect(mount.status).toBe(202);
    const put = await world.send("PUT", `${name}/manifests/1`, {
      headers: { "content-type": ociManifestType },
      body: image.content,
    });
    expect(await errorOf(put)).toBe("400 MANIFEST_BLOB_UNKNOWN");

    await world.pushImage(name, "1", { layer });

    expect(await head(world, image.layer)).toBe(200);
    expect(await pull(world, image.layer)).toBe(layer);
    expect(await verify(world)).toEqual([]);
    expect(world.damaged).toHaveLength(1);
    await world.pushImage(name, "1", { layer });
    expect(world.healed).toEqual([{ digest: image.layer, sizeBytes: layer.length }]);
  });

  test("that cannot be read is healed by a push, after a client has found it", async () => {
    await using opened = await open();
    const { world, block } = opened;
    const image = await world.pushImage(name, "1", { layer });
    await block(image.layer);

    expect(await pull(world, image.layer)).toBe("404");

    await expect.poll(() => world.damaged).toMatchObject([{ digest: image.layer, fault: "unreadable" }]);
    expect(await head(world, image.layer)).toBe(404);
    expect(await head(world, image.config)).toBe(200);
    await world.pushImage(name, "1", { layer });
    expect(await pull(world, image.layer)).toBe(layer);
    expect(await verify(world)).toEqual([]);
  });

  test("that cannot be read does not keep the others from being verified", async () => {
    await using opened = await open();
    const { world, block, damage } = opened;
    const image = await world.pushImage(name, "1", { layer });
    await block(image.layer);
    await damage(image.config, undefined);

    const found = await verify(world);

    expect(found.toSorted()).toEqual([expect.stringMatching(/^it cannot be read: /), "it is missing"]);
    expect(await head(world, image.layer)).toBe(404);
  });

  test("that has other bytes is healed by a push, after a client has pulled it whole", async () => {
    await using opened = await open();
    const { world, damage } = opened;
    const image = await world.pushImage(name, "1", { layer });
    const wrong = layer.toUpperCase();
    await damage(image.layer, wrong);
    const part = await world.send("GET", `${name}/blobs/${image.layer}`, { headers: { range: "bytes=0-5" } });
    expect(await part.text()).toBe(wrong.slice(0, 6));
    expect(await head(world, image.layer)).toBe(200); // of a part, nobody can tell

    expect(await pull(world, image.layer)).toBe(wrong);

    await expect.poll(() => world.damaged).toMatchObject([{ digest: image.layer, fault: "wrong_digest" }]);
    expect(await head(world, image.layer)).toBe(404);
    await world.pushImage(name, "1", { layer });
    expect(await pull(world, image.layer)).toBe(layer);
  });

  test.each([
    ["whole", {}],
    ["in part", { range: "bytes=3-5" }],
    ["from its first byte, in part", { range: "bytes=0-5" }],
  ])("that is changed after it was compared is found when it is pulled %s", async (_, headers) => {
    await using opened = await open();
    const { world, damage } = opened;
    const image = await world.pushImage(name, "1", { layer });
    await pull(world, image.layer);
    await damage(image.layer, layer.toUpperCase());

    await (await world.send("GET", `${name}/blobs/${image.layer}`, { headers })).text();

    await expect.poll(() => world.damaged).toMatchObject([{ digest: image.layer, fault: "wrong_digest" }]);
    await world.pushImage(name, "1", { layer });
    expect(await pull(world, image.layer)).toBe(layer);
    expect(world.damaged).toHaveLength(1);
  });

  test("that has other bytes is healed by a push, after it was verified", async () => {
    await using opened = await open();
    const { world, damage } = opened;
    const image = await world.pushImage(name, "1", { layer });
    await damage(image.layer, layer.replace("layer", "lawyer").slice(0, layer.length));

    expect(await verify(world)).toEqual(["its bytes have another digest"]);

    expect(await head(world, image.layer)).toBe(404);
    await world.pushBlob(name, layer);
    expect(await pull(world, image.layer)).toBe(layer);
  });

  test("hides its image, and indexes of it, from clients that ask before they push, and not from others", async () => {
    await using opened = await open();
    const { world, damage } = opened;
    const { digest, layer: lost, content } = await world.pushImage(name, "1", { layer });
    const manifests = [{ mediaType: ociManifestType, digest, size: content.length }];
    const index = { schemaVersion: 2, mediaType: ociIndexType, manifests };
    const headers = { "content-type": ociIndexType };
    await world.send("PUT", `${name}/manifests/list`, { headers, body: JSON.stringify(index) });
    await world.pushImage(name, "other", { layer: "of another image" });
    const ask = async (method: string, tag: string) => (await world.send(method, `${name}/manifests/${tag}`)).status;
    await damage(lost, undefined);
    await pull(world, lost);
    await expect.poll(() => head(world, lost)).toBe(404);

    const asked = [
      await ask("HEAD", "1"),
      await ask("HEAD", digest),
      await ask("HEAD", "list"),
      await ask("HEAD", "other"),
    ];
    const pulled = [await ask("GET", "1"), await ask("GET", "list")];
    await world.pushBlob(name, layer);

    expect(asked).toEqual([404, 404, 404, 200]);
    expect(pulled).toEqual([200, 200]);
    expect(await ask("HEAD", "list")).toBe(200);
  });

  test("that an operator has restored is whole after it was verified", async () => {
    await using opened = await open();
    const { world, damage } = opened;
    const image = await world.pushImage(name, "1", { layer });
    await damage(image.layer, "x");
    await verify(world);
    await damage(image.layer, layer);

    expect(await verify(world)).toEqual([]);

    expect(await head(world, image.layer)).toBe(200);
  });

  test("of two repositories is healed for both by a push to one", async () => {
    await using opened = await open();
    const { world, damage } = opened;
    const image = await world.pushImage(name, "1", { layer });
    await world.pushImage("alice/other", "1", { layer });
    await damage(image.layer, undefined);
    await pull(world, image.layer);
    await expect.poll(() => head(world, image.layer, "alice/other")).toBe(404);

    await world.pushBlob("alice/other", layer);

    expect(await pull(world, image.layer)).toBe(layer);
  });
});

/** What can be in the way of a file, and what a reader is told. */
const obstacles: readonly {
  readonly what: string;
  readonly put: (path: string) => Promise<void>;
  readonly problem: RegExp;
}[] = [
  { what: "a link to itself", put: linkToItself, problem: /ELOOP/ },
  {
    what: "a folder with a file",
    problem: /something else/,
    async put(path) {
      await rm(path);
      await mkdir(path);
      await writeFile(join(path, "file"), "x");
    },
  },
  {
    what: "a named pipe",
    problem: /something else/,
    async put(path) {
      await rm(path);
      execFileSync("mkfifo", [path]);
    },
  },
  {
    what: "a file instead of its folder",
    problem: /ENOTDIR/,
    async put(path) {
      await rm(dirname(path), { recursive: true });
      await writeFile(dirname(path), "x");
    },
  },
  { what: "a link to itself instead of its folder", put: (path) => linkToItself(dirname(path)), problem: /ELOOP/ },
];

describe.skipIf(process.platform === "win32")("a blob in whose place is", () => {
  it.each(obstacles)("$what is found, and replaced by a push", async ({ put, problem }) => {
    await using world = await openTestDistribution({ engine: memoryTestEngine });
    const image = await world.pushImage(name, "1", { layer });
    await put(join(world.folder, placeOf(image.layer)));

    expect(await pull(world, image.layer)).toMatch(/^(404|cut)$/);
    await expect.poll(() => world.damaged).toMatchObject([{ fault: "unreadable" }]);

    expect(world.damaged[0]?.problem).toMatch(problem);
    await world.pushImage(name, "1", { layer });
    expect(await pull(world, image.layer)).toBe(layer);
    expect(await verify(world)).toEqual([]);
  });

  it.each(obstacles)("$what can be deleted", async ({ put }) => {
    await using world = await openTestDistribution({ engine: memoryTestEngine });
    const image = await world.pushImage(name, "1", { layer });
    await put(join(world.folder, placeOf(image.layer)));

    await world.blobs.delete(image.layer as Digest);
    await world.blobs.delete(image.layer as Digest);
  });
});

describe("a blob folder that cannot be read at all", () => {
  it.each([
    ["a file", (path: string) => writeFile(path, "x")],
    ["a link to itself", linkToItself],
  ] as const)("since it is %s now, damages no blob", async (_, put) => {
    await using world = await openTestDistribution({ engine: memoryTestEngine });
    const image = await world.pushImage(name, "1", { layer });
    const folder = join(world.folder, "blobs/sha256");
    await rename(folder, `${folder}.off`);
    await put(folder);

    expect(await pull(world, image.layer)).toBe("503");

    await expect(verify(world)).rejects.toMatchObject({ code: "unavailable" });
    await rm(folder);
    await rename(`${folder}.off`, folder);
    expect(await pull(world, image.layer)).toBe(layer);
    expect(world.damaged).toEqual([]);
  });
});
