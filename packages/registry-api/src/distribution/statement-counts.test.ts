import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { ociManifestType, openTestDistribution } from "../fixtures/test-distribution.ts";

/**
 * How many statements requests take at most. On PostgreSQL each is a way to the server and back: raise a number only for a
 * reason.
 */
const most = { blob: 16, manifest: 18, movedTag: 23, pull: 4 };

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "statements of the distribution on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("are no more than these", async () => {
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

      const found = {
        blob: await during(() => pushBlob("alice/images", "another layer")),
        manifest: await during(() => push("second", "new")),
        movedTag: await during(() => push("second", "newer")),
        pull: await during(() => send("GET", "alice/images/manifests/second")),
      };

      for (const [name, texts] of Object.entries(found)) {
        expect(texts.length, `${name}:\n${texts.join("\n")}`).toBeGreaterThan(0);
        expect(texts.length, `${name}:\n${texts.join("\n")}`).toBeLessThanOrEqual(most[name as keyof typeof most]);
      }
    });
  },
);
