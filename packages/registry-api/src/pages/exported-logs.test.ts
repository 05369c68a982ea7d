import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { findLogExportFile, insertLogExport } from "@plimsoll/registry/logs/queries/log-exports";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../fixtures/test-registry.ts";
import { fetchOnce } from "./exported-logs.ts";

/** An answer that a test ends. */
function testResponse() {
  const response = Object.assign(new EventEmitter(), { destroyed: false });
  const close = ({ isWhole }: { readonly isWhole: boolean }) => {
    if (isWhole) response.emit("finish");
    response.destroyed = true;
    response.emit("close");
  };
  return { response: response as unknown as ServerResponse, close };
}

async function* source() {
  yield Buffer.from("one ");
  yield Buffer.from("two");
}

async function openWorld(engine: (typeof testEngines)[number]) {
  const registry = await openTestRegistry({ engine });
  const { db } = registry.store;
  const link = { id: "export", fileHash: "hash" };
  const row = {
    id: link.id,
    file_hash: link.fileHash,
    digest: "sha256:0",
    size_bytes: 7,
    created_at: 0,
    expires_at: 9,
  };
  await insertLogExport(db, row);
  return {
    isOpen: async () => (await findLogExportFile(db, link.fileHash, 1)) !== undefined,
    fetch: (response: ServerResponse) => fetchOnce(db, { ...link, response }, source()),
    [Symbol.asyncDispose]: () => registry[Symbol.asyncDispose](),
  };
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "fetchOnce on $title",
  ({ engine }) => {
    it.skipIf(engine.skip)("ends the link before the last bytes are sent, and for good when they are", async () => {
      await using world = await openWorld(engine);
      const { response, close } = testResponse();
      const content = world.fetch(response);

      expect([String((await content.next()).value), await world.isOpen()]).toEqual(["one ", true]);
      expect([String((await content.next()).value), await world.isOpen()]).toEqual(["two", false]);
      expect((await content.next()).done).toBe(true);
      close({ isWhole: true });

      expect(await world.isOpen()).toBe(false);
    });

    it.skipIf(engine.skip)("opens the link again where the connection breaks at the end", async () => {
      await using world = await openWorld(engine);
      const { response, close } = testResponse();
      const content = world.fetch(response);
      await content.next();
      await content.next();

      close({ isWhole: false });

      await expect.poll(() => world.isOpen()).toBe(true);
    });

    it.skipIf(engine.skip)("cuts off all but the first of several simultaneous downloads", async () => {
      await using world = await openWorld(engine);
      const [one, two] = [world.fetch(testResponse().response), world.fetch(testResponse().response)];
      await one.next();
      await two.next();

      await one.next();

      await expect(two.next()).rejects.toThrow("has fetched the exported log");
    });
  },
);
