import { parseDigest } from "@plimsoll/core";
import { expect } from "vitest";
import { removeBlob } from "../collection/collect-blobs.ts";
import { beginUpload, errorOf, onEachEngine } from "../fixtures/each-engine.ts";
import { digestOf, type TestDistribution } from "../fixtures/test-distribution.ts";
import type { BlobStore } from "../ports/blob-store.ts";

const name = "alice/images";
const digest = parseDigest(digestOf("content"));

/** A blob store in which something happens as soon as a blob has been committed, once. */
function interrupted() {
  let interrupt: () => Promise<unknown> = async () => {};
  return {
    onCommit(work: () => Promise<unknown>) {
      interrupt = async () => {
        interrupt = async () => {};
        await work();
      };
    },
    wrapBlobs: (blobs: BlobStore): BlobStore => ({
      ...blobs,
      async commit(uploadId, committed) {
        const sizeBytes = await blobs.commit(uploadId, committed);
        await interrupt();
        return sizeBytes;
      },
    }),
  };
}

async function upload(world: TestDistribution) {
  const location = await beginUpload(world);
  const body = "content";
  return world.send("PUT", `${location}?digest=${digest}`, { body });
}

const collected = interrupted();
const deleted = interrupted();

onEachEngine("finishUpload", (test) => {
  test(
    "stores a blob again that is collected between its file and its row",
    async (world) => {
      const { store, blobs } = world;
      await upload(world);
      await world.send("DELETE", `${name}/blobs/${digest}`);
      const outcomes: boolean[] = [];
      collected.onCommit(async () => outcomes.push(await removeBlob(store, blobs, digest, 0)));

      const put = await upload(world);

      expect([put.status, outcomes]).toEqual([201, [true]]);
      expect(await (await world.send("GET", `${name}/blobs/${digest}`)).text()).toBe("content");
      expect(await removeBlob(store, blobs, digest, 0)).toBe(false);
      expect(await blobs.find(digest)).toBe(7);
    },
    { wrapBlobs: collected.wrapBlobs },
  );

  test(
    "enters nothing for an upload that is over by then",
    async (world) => {
      const { store, blobs } = world;
      deleted.onCommit(() => store.db.deleteFrom("image_repository").execute());

      const put = await upload(world);

      expect(await errorOf(put)).toBe("404 NAME_UNKNOWN");
      expect(await store.db.selectFrom("blob").selectAll().execute()).toEqual([]);
      expect(await blobs.find(digest)).toBeUndefined();
    },
    { wrapBlobs: deleted.wrapBlobs },
  );
});
