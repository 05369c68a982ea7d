import { parseDigest } from "@plimsoll/core/digest";
import { isUploadDigest } from "@plimsoll/registry/content/queries/uploads";
import { removeBlob } from "@plimsoll/registry/lifecycle/collection/collect-blobs";
import { collectGarbage } from "@plimsoll/registry/lifecycle/collection/collect-garbage";
import type { BlobStore } from "@plimsoll/registry/ports/blob-store";
import { expect } from "vitest";
import { beginUpload, errorOf, onEachEngine } from "../fixtures/each-engine.ts";
import { digestOf, type TestDistribution } from "../fixtures/test-distribution.ts";

const name = "alice/images";
const digest = parseDigest(digestOf("content"));

/** A blob store that reports each call before it, and each commit after it. */
function watched() {
  const before: { call?: ((kind: "find" | "commit" | "delete") => Promise<unknown>) | undefined } = {};
  const after: { commit?: (() => Promise<unknown>) | undefined } = {};
  const wrapBlobs = (blobs: BlobStore): BlobStore => ({
    ...blobs,
    async find(found) {
      await before.call?.("find");
      return blobs.find(found);
    },
    async delete(deleted) {
      await before.call?.("delete");
      await blobs.delete(deleted);
    },
    async commit(uploadId, committed) {
      await before.call?.("commit");
      const sizeBytes = await blobs.commit(uploadId, committed);
      const work = after.commit;
      after.commit = undefined;
      await work?.();
      return sizeBytes;
    },
  });
  return { before, after, wrapBlobs };
}

async function upload(world: TestDistribution) {
  const location = await beginUpload(world);
  const body = "content";
  return world.send("PUT", `${location}?digest=${digest}`, { body });
}

/** Pushes the blob and removes it from its repository, so that nothing has it. */
async function leaveUnlinked(world: TestDistribution): Promise<void> {
  await upload(world);
  await world.send("DELETE", `${name}/blobs/${digest}`);
}

async function expectKept({ store, blobs, send }: TestDistribution): Promise<void> {
  expect(await (await send("GET", `${name}/blobs/${digest}`)).text()).toBe("content");
  for await (const _ of collectGarbage({ store, blobs, now: 0, since: 0 }));
  expect(await blobs.find(digest)).toBe(7);
  expect(await store.db.selectFrom("blob_removal").selectAll().execute()).toEqual([]);
}

const [kept, over, slow, waiting, died, left] = [watched(), watched(), watched(), watched(), watched(), watched()];

onEachEngine("finishUpload", (test) => {
  test(
    "keeps a blob that is collected between its file and its row",
    async (world) => {
      const { store, blobs } = world;
      await leaveUnlinked(world);
      const outcomes: boolean[] = [];
      kept.after.commit = async () => outcomes.push(await removeBlob({ store, blobs }, digest, 0));

      const put = await upload(world);

      expect([put.status, outcomes]).toEqual([201, [false]]);
      await expectKept(world);
    },
    { wrapBlobs: kept.wrapBlobs },
  );

  test(
    "enters nothing for an upload that is over by then",
    async (world) => {
      const { store, blobs } = world;
      over.after.commit = () => store.db.deleteFrom("image_repository").execute();

      const put = await upload(world);

      expect(await errorOf(put)).toBe("404 NAME_UNKNOWN");
      expect(await store.db.selectFrom("blob").selectAll().execute()).toEqual([]);
      expect(await blobs.find(digest)).toBeUndefined();
    },
    { wrapBlobs: over.wrapBlobs },
  );

  test(
    "lets others write while the blob store is asked",
    async (world) => {
      const { store, blobs } = world;
      const asked = new Set<string>();
      slow.before.call = async (kind) => {
        await store.transaction((db) => db.updateTable("upload").set({ updated_at: 1 }).execute());
        asked.add(kind);
      };

      await leaveUnlinked(world);
      expect(await removeBlob({ store, blobs }, digest, 0)).toBe(true);
      slow.after.commit = () => store.db.deleteFrom("upload").execute();
      expect((await upload(world)).status).toBe(404);

      expect(asked).toEqual(new Set(["commit", "delete"]));
      slow.before.call = undefined;
    },
    { wrapBlobs: slow.wrapBlobs },
  );

  test(
    "stores a blob that is being removed when its file is gone",
    async (world) => {
      const { store, blobs } = world;
      await leaveUnlinked(world);
      const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const calls: string[] = [];
      waiting.before.call = async (kind) => {
        if (kind === "find") return;
        begun.resolve();
        if (kind === "delete") await goOn.promise;
        calls.push(kind);
      };
      const removing = removeBlob({ store, blobs }, digest, 0);
      await begun.promise;
      const putting = upload(world);
      await expect.poll(() => isUploadDigest(store.db, digest)).toBe(true);
      goOn.resolve();

      expect([await removing, (await putting).status, calls]).toEqual([true, 201, ["delete", "commit"]]);
      waiting.before.call = undefined;
      await expectKept(world);
    },
    { wrapBlobs: waiting.wrapBlobs },
  );

  test(
    "ends a removal that its process did not end, and then stores the blob",
    async (world) => {
      const { store, blobs } = world;
      await leaveUnlinked(world);
      died.before.call = () => Promise.reject(new Error("killed"));
      await expect(removeBlob({ store, blobs }, digest, 0)).rejects.toThrow("killed");
      const calls: string[] = [];
      died.before.call = async (kind) => calls.push(kind);

      const put = await upload(world);

      expect([put.status, calls]).toEqual([201, ["delete", "commit"]]);
      died.before.call = undefined;
      await expectKept(world);
    },
    { wrapBlobs: died.wrapBlobs },
  );

  test(
    "leaves a removal that its process did not end to the next collection",
    async (world) => {
      const { store, blobs } = world;
      await leaveUnlinked(world);
      left.before.call = () => Promise.reject(new Error("killed"));
      await expect(removeBlob({ store, blobs }, digest, 0)).rejects.toThrow("killed");
      left.before.call = undefined;
      expect(await blobs.find(digest)).toBe(7);

      for await (const _ of collectGarbage({ store, blobs, now: 0, since: 0 }));

      expect(await blobs.find(digest)).toBeUndefined();
      expect(await store.db.selectFrom("blob_removal").selectAll().execute()).toEqual([]);
    },
    { wrapBlobs: left.wrapBlobs },
  );
});
