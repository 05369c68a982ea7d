import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { digestOf, ociManifestType, openTestDistribution } from "../fixtures/test-distribution.ts";

/**
 * How many statements requests take. On PostgreSQL each is a way to the server and back, `begin` and `commit` too, which
 * SQLite is not asked here: raise a number only for a reason. The push of a tag looks whether a policy prunes its repository.
 */
const expected = {
  postgres: { blob: 7, blobInTwo: 10, blobInThree: 13, manifest: 8, movedTag: 10, sameAgain: 11, pull: 4 },
  sqlite: { blob: 9, blobInTwo: 12, blobInThree: 15, manifest: 16, movedTag: 18, sameAgain: 13, pull: 4 },
} as const;

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "statements of the distribution on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("are these", async () => {
      const statements: string[] = [];
      await using world = await openTestDistribution({ engine, onStatement: (text) => void statements.push(text) });
      const { send, pushBlob } = world;
      const { content } = await world.pushImage("alice/images", "first");
      const during = async (work: () => Promise<unknown>) => {
        statements.length = 0;
        await work();
        return statements.slice();
      };
      const push = (tag: string, note: string) => {
        const body = content.replace("{", `{"annotations":{"note":"${note}"},`);
        return send("PUT", `alice/images/manifests/${tag}`, { headers: { "content-type": ociManifestType }, body });
      };

      const pushInParts = async (content: string, ...methods: readonly ("PATCH" | "PUT")[]) => {
        const started = await send("POST", "alice/images/blobs/uploads/");
        const location = started.headers.get("location") ?? "";
        for (const [index, method] of methods.entries()) {
          const body = index === 0 ? { body: content } : {};
          const query = method === "PUT" ? `?digest=${digestOf(content)}` : "";
          expect((await send(method, `${location}${query}`, body)).ok).toBe(true);
        }
      };

      const found = {
        blob: await during(() => pushBlob("alice/images", "another layer")),
        blobInTwo: await during(() => pushInParts("a layer in two requests", "PUT")),
        blobInThree: await during(() => pushInParts("a layer in three requests", "PATCH", "PUT")),
        manifest: await during(() => push("second", "new")),
        movedTag: await during(() => push("second", "newer")),
        sameAgain: await during(() => push("second", "newer")),
        pull: await during(() => send("GET", "alice/images/manifests/second")),
      };

      const counts = Object.fromEntries(Object.entries(found).map(([name, texts]) => [name, texts.length]));
      expect(counts, JSON.stringify(found, undefined, 2)).toEqual(expected[world.store.kind]);
    });
  },
);
