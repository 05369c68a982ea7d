/** What an acknowledged push has brought to disk, seen from outside the process. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { countSyncs, noSyncCounter } from "./support/count-syncs.ts";
import { contentOf, PushClient } from "./support/push-client.ts";
import { startRegistry } from "./support/registry-process.ts";
import { tempFolder } from "./support/temp-folder.ts";

const mediaType = "application/vnd.oci.image.manifest.v1+json";
const config = contentOf("{}");
const configType = "application/vnd.oci.image.config.v1+json";
const manifestOf = (n: number) =>
  contentOf(
    JSON.stringify({
      schemaVersion: 2,
      mediaType,
      config: { mediaType: configType, digest: config.digest, size: config.bytes.length },
      layers: [],
      annotations: { n: String(n) },
    }),
  );

describe.skipIf(noSyncCounter !== undefined)("a push to the registry on SQLite", () => {
  it("is on disk when it is acknowledged, and a pull waits for no disk", async () => {
    using folder = tempFolder();
    await using registry = await startRegistry(folder.path, { scanPatienceSeconds: "1", mode: "registry" });
    const { pid } = registry.process;
    const client = new PushClient(`${registry.process.url}/v2/alice/durable/`, registry.token);
    await client.push({ ...manifestOf(0), mediaType, blobs: [config], images: [] }, { tag: "first" });
    const count = async (name: string, work: () => Promise<unknown>) => {
      await using counter = await countSyncs(pid ?? 0, join(folder.path, name));
      await work();
      return counter.stop();
    };

    const put = (n: number) =>
      client.ask("PUT", `manifests/tag-${n}`, {
        expected: [201],
        init: {
          headers: { "content-type": mediaType },
          body: Buffer.from(manifestOf(n).bytes),
        },
      });
    const manifest = await count("manifest", () => put(1));
    const blob = await count("blob", async () => {
      const { bytes, digest } = contentOf("a layer");
      await client.ask("POST", `blobs/uploads/?digest=${digest}`, {
        expected: [201],
        init: { body: Buffer.from(bytes) },
      });
    });
    const pull = await count("pull", () => client.ask("GET", "manifests/first", { expected: [200] }));
    const many = await count("many", () => Promise.all(Array.from({ length: 40 }, (_, n) => put(100 + n))));

    expect(manifest).toBeGreaterThanOrEqual(1);
    expect(blob).toBeGreaterThanOrEqual(3); // the file, its folder, the database
    expect(pull).toBe(0);
    expect(many).toBeLessThan(80);
  });
});
