/** What a feed update changes for images: the reverse index tells exactly what matching every image before and after does. */
import { engineTitle, fullTestRuns, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { pollOnce } from "../benchmarks/lib/poll.ts";
import {
  differences,
  indexImages,
  loadFeeds,
  matchEveryImage,
  openRematchStore,
  storedDifferences,
} from "../benchmarks/lib/rematch.ts";

const manifests = fullTestRuns(2_000);
const world = { manifests, sources: 300, perSource: 5, changed: 200 };

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "notifications of an update on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)(
      "are what matching every image before and after 200 changes tells apart",
      async () => {
        await using database = await engine.create();
        await using store = await openRematchStore(database.location);
        await indexImages(store, world);
        await loadFeeds(store, world, "before");
        const before = await matchEveryImage(store, world, "before");
        await pollOnce(store, "full");
        await loadFeeds(store, world, "after");
        const after = await matchEveryImage(store, world, "after");

        const results = await pollOnce(store, "full");

        expect(results.map(({ kind }) => kind)).toEqual(["polled", "polled"]);
        const expected = differences(world, before, after);
        expect(expected.size).toBeGreaterThan(manifests / 2);
        expect(await storedDifferences(store)).toEqual(expected);
      },
      180_000,
    );
  },
);
