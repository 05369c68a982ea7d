/**
 * Every way to push a blob, with every digest algorithm, as a client sees it.
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md#push
 */
import { engineTitle, fullTestTransports, usualTestEngine } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorOf, headersOf } from "../fixtures/each-engine.ts";
import { digestOf, openTestDistribution, type TestDistribution } from "../fixtures/test-distribution.ts";
import { pushWays } from "./fixtures/blob-pushes.ts";

describe.each(fullTestTransports())("over %s", (transport) => {
  let world: TestDistribution;
  beforeAll(async () => {
    world = await openTestDistribution({ engine: usualTestEngine, transport });
  });
  afterAll(() => world[Symbol.asyncDispose]());
  const send: TestDistribution["send"] = (...words) => world.send(...words);

  const repository = "alice/blobs";
  const contents: Readonly<Record<string, Buffer>> = {
    "some bytes": Buffer.from(Array.from({ length: 3067 }, (_, index) => (index * 7919) % 256)),
    "{}": Buffer.from("{}"),
    "no bytes": Buffer.alloc(0),
  };

  const rows = Object.keys(pushWays).flatMap((way) =>
    (["sha256", "sha512"] as const).map((algorithm) => ({ way, algorithm })),
  );

  describe.each(rows)(`a blob pushed $way by $algorithm on ${engineTitle(usualTestEngine)}`, ({ way, algorithm }) => {
    const push = pushWays[way] ?? (() => Promise.reject(new Error("there is no such way")));

    it.each(Object.keys(contents))("is there until it is deleted: %s", async (title) => {
      const bytes = contents[title] ?? Buffer.alloc(0);
      const digest = digestOf(bytes, algorithm);
      const path = `${repository}/blobs/${digest}`;

      const pushed = await push(send, { repository, digest, bytes });

      expect([pushed.status, ...headersOf(pushed, "docker-content-digest")]).toEqual([201, digest]);
      const pulled = await send("GET", pushed.headers.get("location") ?? "");
      expect(Buffer.from(await pulled.arrayBuffer())).toEqual(bytes);
      const head = await send("HEAD", path);
      const described = headersOf(head, "content-length", "docker-content-digest");
      expect([head.status, ...described]).toEqual([200, String(bytes.length), digest]);
      expect((await send("DELETE", path)).status).toBe(202);
      expect((await send("HEAD", path)).status).toBe(404);
      expect(await errorOf(await send("DELETE", path))).toBe("404 BLOB_UNKNOWN");
    });

    it("is refused when its digest is of other bytes", async () => {
      const digest = digestOf("other bytes", algorithm);

      const pushed = await push(send, { repository, digest, bytes: Buffer.from("some bytes") });

      expect(await errorOf(pushed)).toBe("400 DIGEST_INVALID");
      expect((await send("HEAD", `${repository}/blobs/${digest}`)).status).toBe(404);
    });
  });

  describe("a blob of another repository", () => {
    const source = "alice/source";
    const mount = (query: string) => send("POST", `${repository}/blobs/uploads/?${query}`);

    it("is mounted from where it is, and pushed where that is not said", async () => {
      const digest = await world.pushBlob(source, "to be mounted");
      const location = `/v2/${repository}/blobs/${digest}`;

      const unsaid = await mount(`mount=${digest}`);
      const missing = await mount(`mount=${digestOf("missing")}&from=${source}`);
      const mounted = await mount(`mount=${digest}&from=${source}`);

      for (const begun of [unsaid, missing]) {
        expect([begun.status, begun.headers.get("location")]).toEqual([
          202,
          expect.stringContaining("/blobs/uploads/"),
        ]);
      }
      expect([mounted.status, ...headersOf(mounted, "location", "docker-content-digest")]).toEqual([
        201,
        location,
        digest,
      ]);
      expect(await (await send("GET", location)).text()).toBe("to be mounted");
    });
  });
});
