import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../fixtures/test-registry.ts";
import { putManifest, putRepository } from "../fixtures/test-repositories.ts";

const engines = testEngines.map((engine) => ({ engine, title: engineTitle(engine) }));

describe.each(engines)("changeTag on $title", ({ engine }) => {
  it.skipIf(engine.skip !== undefined)("leaves one living tag when several point it at once", async () => {
    await using registry = await openTestRegistry({ engine });
    const ada = await registry.user("ada");
    const app = await putRepository(registry, { namespace: ada, name: "app" });
    const manifests = [];
    for (let index = 0; index < 8; index++) {
      manifests.push(await putManifest(registry, app, { content: { annotations: { index: String(index) } } }));
    }
    const call = await registry.session(ada);

    const answers = await Promise.all(
      manifests.map(({ digest }) => call("PUT", "/repository/ada/app/tag/latest", { manifest_digest: digest })),
    );

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const { body } = await call("GET", "/repository/ada/app/tag/");
    expect(body.tags).toHaveLength(8);
    expect(body.tags.filter(({ end_ts }: { end_ts?: number }) => end_ts === undefined)).toHaveLength(1);
  });
});
