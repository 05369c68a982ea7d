import { findImageRepository } from "@plimsoll/registry/access/queries";
import { findStoredManifest } from "@plimsoll/registry/content/queries/manifest-content";
import { noPorts } from "@plimsoll/registry/ports";
import type { ImageQuestion } from "@plimsoll/registry/ports/large-images";
import { askElsewhere } from "@plimsoll/registry/security/ask-elsewhere";
import { putFindingCounts } from "@plimsoll/registry/security/queries/findings";
import { SerializedJson } from "@plimsoll/registry/values/serialized-json";
import { expect } from "vitest";
import { onEachEngine } from "../fixtures/each-engine.ts";
import { digestOf, ociIndexType, ociManifestType, type TestDistribution } from "../fixtures/test-distribution.ts";
import { attachDocument } from "./fixtures/attach-document.ts";

const name = "alice/images";
const mediaType = "application/vnd.cyclonedx+json";
const document = (kibibytes: number) => JSON.stringify({ filler: "x".repeat(kibibytes * 1024) });

/** What users do with an image, and whether another thread is then asked about it. */
type Row = readonly [
  title: string,
  isAsked: boolean,
  go: (world: TestDistribution, image: { readonly digest: string; readonly id: string }) => Promise<unknown>,
];

const rows: readonly Row[] = [
  ["nothing", false, async () => {}],
  [
    "a document of half a mebibyte",
    false,
    (world, { digest: subject }) => attachDocument(world, name, { document: document(512), mediaType, subject }),
  ],
  [
    "a document of a mebibyte",
    true,
    (world, { digest: subject }) => attachDocument(world, name, { document: document(1024), mediaType, subject }),
  ],
  [
    "a document under cosign's tag",
    true,
    (world, { digest }) => {
      const tag = `${digest.replace(":", "-")}.att`;
      return attachDocument(world, name, { document: document(1024), mediaType, tag });
    },
  ],
  [
    "several documents, at the image and at an index that lists it",
    true,
    async (world, { digest }) => {
      const manifests = [{ mediaType: ociManifestType, digest, size: 1 }];
      const body = JSON.stringify({ schemaVersion: 2, mediaType: ociIndexType, manifests });
      const headers = { "content-type": ociIndexType };
      expect((await world.send("PUT", `${name}/manifests/all`, { headers, body })).status).toBe(201);
      for (const [subject, kibibytes] of [
        [digest, 600],
        [digestOf(body), 601],
      ] as const)
        await attachDocument(world, name, { document: document(kibibytes), mediaType, subject });
    },
  ],
  ["few findings", false, (world, image) => count(world, image.id, 1_999)],
  ["many findings", true, (world, image) => count(world, image.id, 2_000)],
];

async function count({ store }: TestDistribution, manifestId: string, low: number): Promise<void> {
  const none = { critical: 0, high: 0, medium: 0, negligible: 0, unknown: 0, fixable: 0, exploited: 0 };
  const counts = { ...none, low, is_partial: 0, data_state: "current" } as const;
  await store.transaction((db) => putFindingCounts(db, { manifestId, counts, at: 1, dueAt: 2 }));
}

onEachEngine("askElsewhere", (test) => {
  for (const [title, isAsked, go] of rows) {
    test(`${isAsked ? "asks" : "does not ask"} about an image with ${title}`, async (world) => {
      const { digest } = await world.pushImage(name, "v1");
      const repository = await findImageRepository(world.store.db, "alice", "images");
      const stored = { repositoryId: repository?.id ?? "", digest };
      const manifest = await findStoredManifest(world.store.db, stored);
      if (manifest === undefined) throw new Error("the image is not there");
      await go(world, manifest);
      const asked: ImageQuestion[] = [];
      const answer = new SerializedJson([Buffer.from("{}")]);
      const largeImages = {
        answer: async (question: ImageQuestion) => {
          asked.push(question);
          return answer;
        },
      };
      const context = { ...noPorts, db: world.store.db, blobs: world.blobs, largeImages, now: world.registry.time.now };
      const question = { kind: "report", manifest } as const;

      const found = await askElsewhere(context, question, new AbortController().signal);

      expect(asked).toEqual(isAsked ? [question] : []);
      expect(found).toBe(isAsked ? answer : undefined);
      expect(
        await askElsewhere({ ...context, largeImages: noPorts.largeImages }, question, new AbortController().signal),
      ).toBeUndefined();
    });
  }
});
