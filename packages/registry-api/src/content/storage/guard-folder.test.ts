import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Digest, parseDigest } from "@plimsoll/core/digest";
import { verifyBlobs } from "@plimsoll/registry/content/storage/copy-blobs";
import { guardFolder } from "@plimsoll/registry/content/storage/guard-folder";
import { createFileBlobStore } from "@plimsoll/registry-adapters/files";
import { collectBytes, memoryTestEngine, streamBytes } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestDistribution, type TestDistribution } from "../../fixtures/test-distribution.ts";

const noBlob = parseDigest(`sha256:${"0".repeat(64)}`);
const name = "alice/images";
const layer = "the content of a layer";

/** A registry whose store is guarded, with an image. */
async function openGuarded() {
  let opened: TestDistribution | undefined;
  const registry = {
    get db() {
      if (opened === undefined) throw new Error("the registry is not open yet");
      return opened.store.db;
    },
  };
  opened = await openTestDistribution({
    engine: memoryTestEngine,
    wrapBlobs: (blobs) => guardFolder(blobs, registry),
  });
  return opened;
}

describe("guardFolder", () => {
  it("lets an empty registry begin in an empty folder", async () => {
    await using world = await openGuarded();

    expect(await world.blobs.find(noBlob)).toBeUndefined();

    const image = await world.pushImage(name, "1", { layer });
    expect(await world.blobs.find(image.layer as Digest)).toBe(layer.length);
    expect(await world.blobs.find(noBlob)).toBeUndefined();
  });

  it.each([
    { what: "the folder of blobs", hidden: "blobs" },
    { what: "everything", hidden: "." },
  ])("is unavailable while $what is away, damages no blob, and works when it is back", async ({ hidden }) => {
    await using world = await openGuarded();
    const image = await world.pushImage(name, "1", { layer });
    const place = join(world.folder, hidden);
    await rename(place, `${world.folder}.off`);

    expect((await world.send("GET", `${name}/blobs/${image.layer}`)).status).toBe(503);
    const push = await world.send("POST", `${name}/blobs/uploads/?digest=${noBlob}`, { body: "x" });
    expect(push.status).toBe(503);
    const message = expect.stringMatching(/blobs is not there, and the database has blobs: mount/);
    const unavailable = { code: "unavailable", message };
    await expect(world.blobs.find(noBlob)).rejects.toMatchObject(unavailable);
    await expect(world.blobs.delete(image.layer as Digest)).rejects.toMatchObject(unavailable);
    const recordIn = { store: world.store, now: () => world.registry.time.now };
    const found = verifyBlobs({ db: world.store.db, blobs: world.blobs, recordIn });
    await expect(found[Symbol.asyncIterator]().next()).rejects.toMatchObject(unavailable);

    await rm(place, { recursive: true, force: true });
    await rename(`${world.folder}.off`, place);
    expect((await world.send("HEAD", `${name}/blobs/${image.layer}`)).status).toBe(200);
    expect((await collectBytes(world.blobs.read(image.layer as Digest))).length).toBe(layer.length);
    expect(world.damaged).toEqual([]);
  });

  it("takes blobs as missing if an operator has created the folder anew", async () => {
    await using world = await openGuarded();
    const image = await world.pushImage(name, "1", { layer });
    for (const each of await readdir(join(world.folder, "blobs")))
      await rm(join(world.folder, "blobs", each), { recursive: true });

    expect((await world.send("GET", `${name}/blobs/${image.layer}`)).status).toBe(404);

    await world.pushImage(name, "1", { layer });
    expect((await world.send("GET", `${name}/blobs/${image.layer}`)).status).toBe(200);
  });

  it("does not keep anyone from filling the folder without the guard, as a restore does", async () => {
    await using world = await openGuarded();
    const image = await world.pushImage(name, "1", { layer });
    await rm(join(world.folder, "blobs"), { recursive: true });
    const raw = createFileBlobStore(world.folder);

    await raw.append("copy", streamBytes(Buffer.from(layer)), { offset: 0, maxBytes: 100 });
    await raw.commit("copy", image.layer as Digest);

    expect(await world.blobs.find(image.layer as Digest)).toBe(layer.length);
  });
});
