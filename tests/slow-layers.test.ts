import { fullTestRuns, noLongTests, type SlowLayer, skipNote, slowLayers } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { type Content, contentOf, type Pushable, PushClient } from "./support/push-client.ts";
import { startRegistry } from "./support/registry-process.ts";
import { tempFolder } from "./support/temp-folder.ts";

const entries = fullTestRuns(5_000);

/**
 * No request waits for so much work of the thread that answers, a millisecond an entry: `benchmarks/slow-layers.ts` has the times on
 * the clock.
 */
const longestMs = entries;

const [configType, layerType, manifestType] = ["config.v1+json", "layer.v1.tar+gzip", "manifest.v1+json"].map(
  (type) => `application/vnd.oci.image.${type}`,
);

/** The image of one layer. */
function imageOf(slow: SlowLayer): Pushable {
  const config = contentOf(
    JSON.stringify({ architecture: "amd64", os: "linux", rootfs: { type: "layers", diff_ids: [] } }),
  );
  const layer = contentOf(slow.build());
  const describe = ({ bytes, digest }: Content, mediaType = "") => ({ mediaType, digest, size: bytes.length });
  const manifest = {
    schemaVersion: 2,
    mediaType: manifestType,
    config: describe(config, configType),
    layers: [describe(layer, layerType)],
  };
  return { ...contentOf(JSON.stringify(manifest)), mediaType: `${manifestType}`, blobs: [config, layer], images: [] };
}

/**
 * Asks over and over until the work is done. @returns what the thread that answers computed during one request at most, in
 * milliseconds: unlike the time on the clock it does not grow when others use the machine
 */
async function askMeanwhile(work: Promise<unknown>, url: string, computedMs: () => Promise<number>): Promise<number> {
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  work.then(end, end);
  let longest = 0;
  while (!isDone) {
    const before = await computedMs();
    await (await fetch(url)).arrayBuffer();
    longest = Math.max(longest, (await computedMs()) - before);
  }
  return longest;
}

/** Only Linux says what a thread of another process has computed. */
const skip = process.platform === "linux" ? noLongTests : "no Linux";
const title = `do not keep other requests of a registry waiting when they are pushed${skipNote(skip)}`;

describe("layers that are made to be slow", () => {
  it.skipIf(skip !== undefined)(title, { timeout: 240_000 }, async () => {
    await using folder = tempFolder();
    const settings = { layerCpuSeconds: "5", scanPatienceSeconds: "1" };
    await using registry = await startRegistry(folder.path, settings);
    const url = registry.process.url;
    const client = new PushClient(`${url}/v2/alice/slow/`, registry.token);

    const pushing = (async () => {
      for (const layer of slowLayers(entries)) await client.push(imageOf(layer));
    })();
    const longest = await askMeanwhile(pushing, `${url}/api/v1/discovery`, () => registry.process.mainThreadMs());
    await pushing;

    expect(await registry.process.mainThreadMs()).toBeGreaterThan(0);
    expect(longest).toBeLessThan(longestMs);
    expect(registry.process.crashes).toEqual([]);
  });
});
