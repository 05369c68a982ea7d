import { parseDigest } from "@plimsoll/core/digest";
import { namespaceUsage, uploadingBytes } from "@plimsoll/registry/organizations/quotas/queries/usage";
import { engineTitle, type TestEngine, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { recountUsage } from "../fixtures/recount-usage.ts";
import { digestOf, openTestDistribution, type TestDistribution } from "../fixtures/test-distribution.ts";
import { filesOf, limit, openBody } from "./fixtures/quota.ts";

const name = "alice/images";
const layer = "l".repeat(6000);
const other = "o".repeat(6000);

/** How clients send a blob whose digest they name in the end. The function has the statuses of their requests. */
const roads: Record<string, (world: TestDistribution, body: string) => Promise<readonly number[]>> = {
  "a stream": async (world, body) => {
    const path = await begin(world);
    return [
      await patch(world, path, { body: new Blob([body]).stream() }),
      await put(world, path, { digest: digestOf(body) }),
    ];
  },
  "a body of a known length": async (world, body) => {
    const path = await begin(world);
    return [await patch(world, path, { body }), await put(world, path, { digest: digestOf(body) })];
  },
  "two chunks": async (world, body) => {
    const path = await begin(world);
    const [first, second] = [body.slice(0, 2500), body.slice(2500)];
    return [
      await patch(world, path, { body: first }),
      await patch(world, path, { body: second, from: 2500 }),
      await put(world, path, { digest: digestOf(body) }),
    ];
  },
  "a chunk, and the rest with the digest": async (world, body) => {
    const path = await begin(world);
    return [
      await patch(world, path, { body: body.slice(0, 2500) }),
      await put(world, path, { digest: digestOf(body), body: body.slice(2500) }),
    ];
  },
  "a body with the digest": async (world, body) => [
    await put(world, await begin(world), { digest: digestOf(body), body }),
  ],
  "a mount that becomes an upload": async (world, body) => {
    const path = await begin(world, `?mount=${digestOf(body)}&from=${name}`);
    return [await patch(world, path, { body }), await put(world, path, { digest: digestOf(body) })];
  },
};

async function begin(world: TestDistribution, query = ""): Promise<string> {
  const { status, headers } = await world.send("POST", `${name}/blobs/uploads/${query}`);
  expect(status).toBe(202);
  return headers.get("location") ?? "";
}

async function patch(world: TestDistribution, path: string, { body, from }: Chunk): Promise<number> {
  const headers: Record<string, string> =
    from === undefined ? {} : { "content-range": `${from}-${from + body.toString().length - 1}` };
  return (await world.send("PATCH", path, { body, headers })).status;
}

interface Chunk {
  readonly body: string | ReadableStream<Uint8Array>;
  readonly from?: number;
}

async function put(world: TestDistribution, path: string, { digest, body = "" }: Rest): Promise<number> {
  return (await world.send("PUT", `${path}?digest=${digest}`, { body })).status;
}

interface Rest {
  readonly digest: string;
  readonly body?: string;
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "a damaged blob on $title",
  ({ engine }) => {
    /** @param room how much larger the quota is than what the namespace has, in bytes */
    const test = (title: string, room: number, run: (world: TestDistribution, namespaceId: string) => Promise<void>) =>
      it.skipIf(engine.skip !== undefined)(title, async () => {
        await using world = await openTestDistribution({ engine: engine as TestEngine });
        const namespaceId = await limit(world, 100_000, ["Reject", 100]);
        await world.pushImage(name, "a", { layer });
        const limit_bytes = (await namespaceUsage(world.store.db, namespaceId)) + room;
        await world.store.db.updateTable("quota").set({ limit_bytes }).execute();
        await lose(world);
        await run(world, namespaceId);
      });

    async function lose({ store, blobs }: TestDistribution): Promise<void> {
      const digest = parseDigest(digestOf(layer));
      await blobs.delete(digest);
      await store.db
        .updateTable("blob")
        .set({ fault: "missing", damaged_at: 1 })
        .where("digest", "=", digest)
        .execute();
    }

    async function startOf(world: TestDistribution, query = "") {
      const answer = await world.send("POST", `${name}/blobs/uploads/${query}`);
      return { status: answer.status, text: await answer.text() };
    }

    const healsOnRoads = async (world: TestDistribution, namespaceId: string) => {
      const before = await namespaceUsage(world.store.db, namespaceId);
      for (const [road, send] of Object.entries(roads)) {
        const statuses = await send(world, layer);
        expect.soft(statuses, road).toEqual([...statuses.slice(1).map(() => 202), 201]);
        expect.soft((await world.send("GET", `${name}/blobs/${digestOf(layer)}`)).status, road).toBe(200);
        expect.soft((await startOf(world)).status, road).toBe(403);
        await lose(world);
      }
      await world.pushImage(name, "a", { layer });

      expect(await namespaceUsage(world.store.db, namespaceId)).toBe(before);
      expect(await uploadingBytes(world.store.db, namespaceId)).toBe(0);
      const { kept, counted } = await recountUsage(world.store.db);
      expect(kept).toEqual(counted);
    };
    test("is healed on every road at a full quota, which is full again then", 0, healsOnRoads);
    test("is healed on every road above the quota", -1000, healsOnRoads);

    test("leaves no room for other content, of which nothing is kept", -1000, async (world, namespaceId) => {
      const before = await namespaceUsage(world.store.db, namespaceId);
      for (const [road, send] of Object.entries(roads)) {
        expect.soft((await send(world, other)).at(-1), road).toBe(403);
        expect.soft(await filesOf(world), road).toEqual([]);
        expect.soft(await world.blobs.find(parseDigest(digestOf(other))), road).toBeUndefined();
      }
      expect(await patch(world, await begin(world), { body: `${layer}o` })).toBe(403); // more than the damaged blobs have
      expect((await startOf(world, `?digest=${digestOf(other)}`)).status).toBe(403);

      expect(await namespaceUsage(world.store.db, namespaceId)).toBe(before);
      expect(await world.store.db.selectFrom("upload").select("id").execute()).toEqual([]);
    });

    test(
      "is healed beside what other pushes left, which is never more than the quota",
      0,
      async (world, namespaceId) => {
        const used = await namespaceUsage(world.store.db, namespaceId);
        const [left, path, late] = [await begin(world), await begin(world), await begin(world)];
        const config = used - 6000;
        expect(await patch(world, left, { body: other.slice(0, config) })).toBe(202);
        expect(await patch(world, path, { body: layer })).toBe(202);

        expect(await patch(world, late, { body: "o" })).toBe(403);
        expect(await put(world, path, { digest: digestOf(layer) })).toBe(201);
        expect(await put(world, left, { digest: digestOf(other.slice(0, config)) })).toBe(403);
        expect(await uploadingBytes(world.store.db, namespaceId)).toBe(0);
      },
    );

    test("is named by a refusal with the right figures, which says what heals it", 0, async (world, namespaceId) => {
      const used = await namespaceUsage(world.store.db, namespaceId);

      const larger = await world.send("PATCH", await begin(world), { body: `${other}ooo` });
      const text = await larger.text();

      expect(text).toContain(
        `it uses ${used} bytes of less than ${used} that are allowed, and this would add 3 bytes.`,
      );
      expect(text).toContain(
        "6000 bytes of damaged blobs may be sent again at a full quota, and nothing else in their",
      );
      expect(await roads["a stream"]?.(world, layer)).toEqual([202, 201]);
      expect((await startOf(world)).text).not.toContain("damaged");
    });

    test("is healed after an upload was cut, of which nothing is kept", 0, async (world) => {
      const path = await begin(world);
      const cut = openBody();
      const lost = world.send("PATCH", path, { body: cut.body }).catch(() => undefined);
      cut.send(layer.slice(0, 5000));
      const uploads = () => world.store.db.selectFrom("upload").select("received_bytes").execute();
      await expect.poll(uploads).toEqual([{ received_bytes: 5000 }]);
      cut.fail();
      await lost;
      await expect.poll(uploads).toEqual([]);
      await expect.poll(() => filesOf(world)).toEqual([]);

      expect(await roads["a stream"]?.(world, layer)).toEqual([202, 201]);
    });
  },
);
