import { usualTestEngine } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  digestOf,
  ociManifestType,
  openTestDistribution,
  type TestDistribution,
} from "../fixtures/test-distribution.ts";
import { distributionOperations } from "./operations.ts";

const upload = "3e6bf5a5-4dd1-4e24-a3f4-b5dd2a1a3b5d";
const name = "alice/private";

/** For each operation, the scope of the challenge that anonymous callers get; `-` where it has none. */
const scopes: Readonly<Record<string, string>> = {
  pingRegistry: "-",
  checkRegistry: "-",
  listCatalog: "registry:catalog:*",
  ...Object.fromEntries(
    ["listTags", "getImageReport", "listReferrers", "pullManifest", "checkManifest", "pullBlob", "checkBlob"].map(
      (id) => [id, `repository:${name}:pull`],
    ),
  ),
  ...Object.fromEntries(
    [
      ...["pushManifest", "deleteImageManifest", "deleteBlob"],
      ...["startUpload", "getUpload", "continueUpload", "completeUpload", "cancelUpload"],
    ].map((id) => [id, `repository:${name}:pull,push`]),
  ),
};

describe("access to the distribution protocol", () => {
  let world: TestDistribution;
  beforeAll(async () => {
    world = await openTestDistribution({ engine: usualTestEngine });
    await world.pushImage(name, "latest");
  });
  afterAll(() => world[Symbol.asyncDispose]());

  it.each(distributionOperations)(
    "$id is decided before the handler looks at anything: malformed requests, too",
    async (operation) => {
      const { id, method, path } = operation;
      const url = path
        .replace("{name}", name)
        .replace("{reference}", ".malformed")
        .replace("{digest}", "malformed")
        .replace("{upload}", upload);

      const answer = await world.send(method, `/v2${url}?n=malformed&digest=malformed`, { as: "" });

      const [, scope = "-"] = /scope="([^"]*)"/.exec(answer.headers.get("www-authenticate") ?? "") ?? [];
      expect([answer.status, scope]).toEqual([401, scopes[id]]);
    },
  );

  it("tells a client that mounts a blob to ask for both repositories at once", async () => {
    const query = `mount=${digestOf("x")}&from=alice/source`;

    const answer = await world.send("POST", `${name}/blobs/uploads/?${query}`, { as: "" });

    const challenge = answer.headers.get("www-authenticate");
    expect(challenge).toContain(`scope="repository:${name}:pull,push repository:alice/source:pull"`);
  });

  it("creates no repository for a push that is refused", async () => {
    const manifest = { headers: { "content-type": ociManifestType }, body: "{}" };

    const pushed = await world.send("PUT", "alice/new/manifests/.malformed", manifest);

    expect(pushed.status).toBe(400);
    expect((await world.send("GET", "alice/new/tags/list")).status).toBe(404);
  });
});
