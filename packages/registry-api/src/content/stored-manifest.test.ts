/** Manifests with members of any type, where a push does not need them: each road shows them, and none fails. */

import { findAccount } from "@plimsoll/registry/access/queries";
import { expect } from "vitest";
import { onEachEngine } from "../fixtures/each-engine.ts";
import { digestOf, ociIndexType, ociManifestType } from "../fixtures/test-distribution.ts";

const name = "alice/images";
const layer = { mediaType: "application/vnd.oci.image.layer.v1.tar", digest: digestOf("a layer"), size: 7 };
const config = { mediaType: "application/vnd.oci.image.config.v1+json", digest: digestOf("{}"), size: 2 };
const odd = [null, "text", 5, [], {}, { length: 3 }, [null, 5]];

const images = [
  ...odd.map((urls) => ({ schemaVersion: 2, config, layers: [{ ...layer, urls }] })),
  ...odd.map((annotations) => ({ schemaVersion: 2, config, layers: [{ ...layer, annotations }], annotations })),
  { schemaVersion: 2, config, layers: null },
];

const indexOf = async (answer: Response) => (await answer.json()) as { readonly manifests: readonly object[] };

onEachEngine("manifests with odd members", (test) => {
  test("are shown by each road", async (world) => {
    const { send, registry, store } = world;
    for (const blob of ["a layer", "{}"]) await world.pushBlob(name, blob);
    const put = async (content: object, mediaType: string) => {
      const body = JSON.stringify({ ...content, mediaType });
      const digest = digestOf(body);
      const reference = `t${digest.slice(7, 19)}`;
      const answer = await send("PUT", `${name}/manifests/${reference}`, {
        headers: { "content-type": mediaType },
        body,
      });
      return answer.status === 201 ? [{ digest, size: body.length, mediaType }] : [];
    };
    const pushed = [];
    for (const image of images) pushed.push(...(await put(image, ociManifestType)));
    const [first] = pushed;
    for (const platform of odd) {
      pushed.push(...(await put({ schemaVersion: 2, manifests: [{ ...first, platform }] }, ociIndexType)));
    }
    const subject = { ...first };
    for (const annotations of odd) {
      pushed.push(...(await put({ schemaVersion: 2, config, layers: [], subject, annotations }, ociManifestType)));
    }
    const alice = await findAccount(store.db, "alice");
    const call = await registry.session(alice as never);
    const of = (digest: string) => `/repository/${name}/manifest/${digest}`;
    const statuses: number[] = [];
    for (const { digest } of pushed) {
      for (const road of ["", "/security", `/security/diff?before=${digest}`, "/labels", "/pullgate"]) {
        statuses.push((await call("GET", `${of(digest)}${road}`)).status);
      }
      statuses.push((await send("GET", `${name}/manifests/${digest}`)).status);
    }
    statuses.push((await call("GET", `/repository/${name}/tag/?limit=100`)).status);
    const listed = await send("GET", `${name}/referrers/${first?.digest}`);

    expect(pushed.length).toBeGreaterThan(20);
    expect(statuses.filter((status) => status >= 500 && status !== 520 && status !== 503)).toEqual([]);
    expect([listed.status, (await indexOf(listed)).manifests.length]).toEqual([200, odd.length]);
  });

  test("refer to an image in one list, however long they are", async ({ send, pushImage }) => {
    const { digest: of, content } = await pushImage(name, "1");
    const subject = { mediaType: ociManifestType, digest: of, size: content.length };
    const expected = [];
    for (const bytes of [10, 300_000, 70_000, 20, 30, 900_000]) {
      const annotations = { "org.example.length": String(bytes), text: "é".repeat(bytes / 2) };
      const body = JSON.stringify({ ...JSON.parse(content), subject, annotations });
      const digest = digestOf(body);
      const headers = { "content-type": ociManifestType };
      expect((await send("PUT", `${name}/manifests/${digest}`, { headers, body })).status).toBe(201);
      expected.push({ digest, annotations, size: Buffer.byteLength(body) });
    }

    const answer = await send("GET", `${name}/referrers/${of}`);

    expect(answer.headers.get("content-type")).toBe(ociIndexType);
    const { manifests, ...index } = await indexOf(answer);
    expect(index).toEqual({ schemaVersion: 2, mediaType: ociIndexType });
    expect(manifests).toEqual(
      expected
        .toSorted((a, b) => (a.digest < b.digest ? -1 : 1))
        .map((each) => expect.objectContaining({ ...each, mediaType: ociManifestType })),
    );
  });
});
