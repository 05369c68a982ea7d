import { sbomKind } from "@plimsoll/core/internal";
import { findImageRepository } from "@plimsoll/registry/access/queries";
import { findStoredManifest } from "@plimsoll/registry/content/queries/manifest-content";
import { readAttachedDocuments } from "@plimsoll/registry/security/attached-documents";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestDistribution } from "../fixtures/test-distribution.ts";
import { attachDocument } from "./fixtures/attach-document.ts";

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "readAttachedDocuments on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("reads all statements of a large document", async () => {
      await using world = await openTestDistribution({ engine });
      const { store, blobs } = world;
      const name = "alice/images";
      const { digest: subject } = await world.pushImage(name, "1");
      await attachDocument(world, name, { document: "{}", mediaType: "application/vnd.cyclonedx+json", subject });
      const repository = await findImageRepository(store.db, "alice", "images");
      const manifest = await findStoredManifest(store.db, { repositoryId: repository?.id ?? "", digest: subject });
      if (manifest === undefined) throw new Error("the image is not there");
      const stated = Array.from({ length: 150_000 }, (_, number) => number);

      const read = () => Promise.resolve(stated);
      const { documents, problems } = await readAttachedDocuments(
        manifest,
        { db: store.db, blobs, now: 0 },
        { kind: sbomKind, read },
      );

      expect(problems).toEqual([]);
      expect(documents.flatMap((each) => each.read)).toEqual(stated);
    });
  },
);
