/**
 * Content of every shape from its push to its deletion, as a client sees it.
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md#workflow-categories
 */
import { engineTitle, fullTestTransports, usualTestEngine } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { headersOf } from "../fixtures/each-engine.ts";
import { ociIndexType, openTestDistribution, type TestDistribution } from "../fixtures/test-distribution.ts";
import {
  type ContentManifest,
  contentShapes,
  type PartDescriptor,
  type PushedContent,
  startContent,
} from "./fixtures/pushed-content.ts";

describe.each(fullTestTransports())("over %s", (transport) => {
  let world: TestDistribution;
  beforeAll(async () => {
    world = await openTestDistribution({ engine: usualTestEngine, transport });
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const rows = Object.entries(contentShapes).flatMap(([shape, build]) =>
    (["sha256", "sha512"] as const).map((algorithm) => {
      const content = startContent(algorithm);
      build(content);
      return { shape, algorithm, content };
    }),
  );

  describe.each(rows)(`$shape by $algorithm on ${engineTitle(usualTestEngine)}`, ({ algorithm, content }) => {
    const name = `alice/${algorithm}`;
    /** A manifest that is pushed by tag has a sha256 digest. */
    const tagged = content.manifests.filter(({ tag }) => tag !== undefined && algorithm === "sha256");
    const send = (...words: Parameters<TestDistribution["send"]>) => world.send(...words);
    const statusOf = async (method: string, path: string) => (await send(method, path)).status;

    it("is pushed", async () => {
      for (const [digest, text] of content.blobs) await pushBlob(digest, text);
      for (const manifest of content.manifests) await pushManifest(manifest, manifest.shown.digest);
      for (const manifest of tagged) await pushManifest(manifest, manifest.tag);
    });

    it("is listed and pulled as it was pushed", async () => {
      const { tags } = (await (await send("GET", `${name}/tags/list`)).json()) as { tags: unknown };
      expect(tags).toEqual(expect.arrayContaining(tagged.map(({ tag }) => tag)));
      for (const manifest of content.manifests) await pullManifest(manifest, manifest.shown.digest);
      for (const manifest of tagged) await pullManifest(manifest, manifest.tag);
      for (const [digest, text] of content.blobs) await pullBlob(digest, text);
    });

    it("is found by its subject", async () => {
      for (const [subject, referrers] of referrersIn(content)) {
        expect(await list(subject)).toEqual([null, referrers]);
        for (const type of new Set(referrers.map(({ artifactType }) => artifactType ?? "none"))) {
          const ofType = referrers.filter(({ artifactType }) => artifactType === type);
          expect(await list(subject, `?artifactType=${encodeURIComponent(type)}`)).toEqual(["artifactType", ofType]);
        }
      }
    });

    it("is gone at once when it is deleted", async () => {
      for (const { tag } of tagged) {
        expect(await statusOf("DELETE", `${name}/manifests/${tag}`)).toBe(202);
        expect(await statusOf("HEAD", `${name}/manifests/${tag}`)).toBe(404);
      }
      for (const { digest } of content.manifests.map(({ shown }) => shown).toReversed()) {
        expect(await statusOf("DELETE", `${name}/manifests/${digest}`)).toBe(202);
        expect(await statusOf("HEAD", `${name}/manifests/${digest}`)).toBe(404);
      }
      for (const subject of referrersIn(content).keys()) expect(await list(subject)).toEqual([null, []]);
    });

    async function pushBlob(digest: string, text: string): Promise<void> {
      const { status, headers } = await send("POST", `${name}/blobs/uploads/?digest=${digest}`, { body: text });
      expect([status, headers.get("location")]).toEqual([201, `/v2/${name}/blobs/${digest}`]);
    }

    async function pushManifest({ text, shown, subject }: ContentManifest, reference = ""): Promise<void> {
      const { mediaType, digest } = shown;
      const headers = { "content-type": mediaType };
      const put = await send("PUT", `${name}/manifests/${reference}`, { headers, body: text });
      expect(put.status).toBe(201);
      expect(headersOf(put, "docker-content-digest", "oci-subject")).toEqual([digest, subject ?? null]);
      const stored = await send("GET", put.headers.get("location") ?? "");
      expect([stored.status, await stored.text()]).toEqual([200, text]);
    }

    async function pullManifest({ text, shown }: ContentManifest, reference = ""): Promise<void> {
      for (const [method, body] of [
        ["HEAD", ""],
        ["GET", text],
      ] as const) {
        const response = await send(method, `${name}/manifests/${reference}`);
        expect([response.status, await response.text()]).toEqual([200, body]);
        const described = headersOf(response, "content-type", "content-length", "docker-content-digest");
        expect(described).toEqual([shown.mediaType, String(shown.size), shown.digest]);
      }
    }

    async function pullBlob(digest: string, text: string): Promise<void> {
      for (const [method, body] of [
        ["HEAD", ""],
        ["GET", text],
      ] as const) {
        const response = await send(method, `${name}/blobs/${digest}`);
        expect([response.status, await response.text()]).toEqual([200, body]);
        expect(headersOf(response, "content-length", "docker-content-digest")).toEqual([String(text.length), digest]);
      }
    }

    async function list(subject: string, query = "") {
      const response = await send("GET", `${name}/referrers/${subject}${query}`);
      const { manifests, ...rest } = (await response.json()) as { readonly manifests: readonly Referrer[] };
      expect([response.status, response.headers.get("content-type")]).toEqual([200, ociIndexType]);
      expect(rest).toEqual({ schemaVersion: 2, mediaType: ociIndexType });
      return [response.headers.get("oci-filters-applied"), manifests];
    }
  });

  type Referrer = PartDescriptor & { readonly artifactType?: string };

  /** The referrers of each subject. The artifact type of an image defaults to the type of its configuration; an index has no default. */
  function referrersIn({ manifests }: PushedContent): ReadonlyMap<string, readonly Referrer[]> {
    const bySubject = Map.groupBy(manifests, ({ subject }) => subject ?? "");
    bySubject.delete("");
    return new Map([...bySubject].map(([subject, group]) => [subject, group.map(({ shown }) => shown).sort(byDigest)]));
  }

  function byDigest(one: Referrer, other: Referrer): number {
    return one.digest < other.digest ? -1 : 1;
  }
});
