import { engineTitle, type TestEngine, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../fixtures/test-registry.ts";
import { putManifest, putRepository, putTag } from "../fixtures/test-repositories.ts";

async function open(engine: TestEngine) {
  const registry = await openTestRegistry({ engine, settings: { compatibility: "reference" } });
  const [ann, bob] = [await registry.user("ann"), await registry.user("bob")];
  const app = await putRepository(registry, { namespace: ann, name: "app", creator: ann });
  const manifest = await putManifest(registry, app, { content: { layers: [] } });
  const now = registry.time.now;
  await putTag(registry, app, { name: "v1_0", manifest, startAt: now - 5000 });
  const pull = (metadata: object, ago: number) => ({
    kind: "pull_repo" as const,
    namespace_id: ann.id,
    repository_id: app.id,
    performer_id: null,
    performer_name: null,
    ip: null,
    metadata: JSON.stringify(metadata),
    at: now - ago,
  });
  await registry.store.db
    .insertInto("usage_log")
    .values([
      pull({ tag: "v1_0" }, 9000), // when it pointed to another image
      pull({ tag: "v1_0" }, 4000),
      pull({ tag: "V1_0" }, 3000),
      pull({ tag: "v1-0", "user-agent": '"tag":"v1_0"' }, 2500),
      pull({ manifest_digest: manifest.digest }, 2000),
    ])
    .execute();
  const [owner, stranger] = [await registry.session(ann), await registry.session(bob)];
  return { registry, owner, stranger, manifest };
}

const path = "/repository/ann/app";

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "pullStatisticsOperations on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("count the pulls by a tag, and of its image", async () => {
      const { registry: owned, owner, stranger, manifest } = await open(engine);
      await using _ = owned;

      const ofTag = await owner("GET", `${path}/tag/v1_0/pull_statistics`);
      const ofImage = await owner("GET", `${path}/manifest/${manifest.digest}/pull_statistics`);
      const others = [
        await owner("GET", `${path}/tag/none/pull_statistics`),
        await owner("GET", `${path}/manifest/sha256:${"0".repeat(64)}/pull_statistics`),
        await stranger("GET", `${path}/tag/v1_0/pull_statistics`),
        await stranger("GET", `${path}/manifest/${manifest.digest}/pull_statistics`),
      ];

      const last = { manifest_pull_count: 2, last_manifest_pull_date: "Sat, 21 Nov 2026 11:59:58 -0000" };
      expect(ofTag.body).toEqual({
        tag_name: "v1_0",
        tag_pull_count: 2,
        last_tag_pull_date: "Sat, 21 Nov 2026 11:59:56 -0000",
        current_manifest_digest: manifest.digest,
        ...last,
      });
      expect(ofImage.body).toEqual({ manifest_digest: manifest.digest, ...last });
      expect(others.map(({ status }) => status)).toEqual([404, 404, 403, 403]);
    });
  },
);
