import { contentOf, longContent } from "@plimsoll/registry/content/queries/manifest-content";
import { expect } from "vitest";
import { onEachEngine } from "../../fixtures/each-engine.ts";
import { ociManifestType, type TestDistribution } from "../../fixtures/test-distribution.ts";

const name = "alice/images";
const gone = () => new Error("it is gone");

/** A manifest of 400 KB whose characters have one to four bytes, and its row. */
async function pushLong(world: TestDistribution) {
  const { content: short } = await world.pushImage(name, "short");
  const content = JSON.stringify({ ...JSON.parse(short), annotations: { text: "aé€😀".repeat(40_000) } });
  const headers = { "content-type": ociManifestType };
  const { status } = await world.send("PUT", `${name}/manifests/long`, { headers, body: content });
  const { db } = world.store;
  const rows = db.selectFrom("image_manifest").select(["id", "content", "size_bytes"]);
  const row = await rows.orderBy("size_bytes", "desc").executeTakeFirstOrThrow();
  return { status, content, row };
}

async function textsOf(body: AsyncIterable<Uint8Array>): Promise<readonly string[]> {
  const pieces: string[] = [];
  for await (const piece of body) pieces.push(Buffer.from(piece).toString());
  return pieces;
}

onEachEngine("the content of a long manifest", (test) => {
  test("is not in its row, and is read as it was pushed", async (world) => {
    const { status, content, row } = await pushLong(world);

    const read = await contentOf(world.store.db, row);

    expect(status).toBe(201);
    expect(row.content).toBe("");
    expect(row.size_bytes).toBe(Buffer.byteLength(content));
    expect(read === content).toBe(true);
  });

  test("is sent in pieces that end between characters, from any of them on", async (world) => {
    const { content, row } = await pushLong(world);
    const body = longContent(world.store.db, { id: row.id, lengthBytes: row.size_bytes, gone });

    const pieces = await textsOf(body.from(0));
    const [first = ""] = pieces;
    const others = await textsOf(body.from(Buffer.byteLength(first)));

    expect(pieces.join("") === content).toBe(true);
    expect([first, ...others].join("") === content).toBe(true);
    expect(Math.max(...pieces.map((piece) => Buffer.byteLength(piece)))).toBeLessThanOrEqual(64 * 1024);
  });

  test("is sent from one buffer, so that pulls take no more memory with each piece", async (world) => {
    const { row } = await pushLong(world);
    const body = longContent(world.store.db, { id: row.id, lengthBytes: row.size_bytes, gone });

    const buffers = new Set<ArrayBufferLike>();
    for await (const { buffer } of body.from(0)) buffers.add(buffer);

    expect(buffers.size).toBe(1);
  });

  test("fails with the given error if the manifest was collected meanwhile", async (world) => {
    const { row } = await pushLong(world);
    const body = longContent(world.store.db, { id: row.id, lengthBytes: row.size_bytes, gone });

    await world.store.db.deleteFrom("image_manifest").where("id", "=", row.id).execute();

    await expect(textsOf(body.from(0))).rejects.toThrow("it is gone");
    await expect(contentOf(world.store.db, row)).rejects.toMatchObject({ code: "not_found" });
    expect(await world.store.db.selectFrom("manifest_piece").select("starts_at").execute()).toEqual([]);
  });
});
