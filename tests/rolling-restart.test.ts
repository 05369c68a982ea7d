/** Two nodes of a registry behind a balancer, restarted one after the other under load. */
import { describe, expect, it } from "vitest";
import { type BalancedNode, startBalancer } from "./support/balancer.ts";
import { contentOf, PushClient } from "./support/push-client.ts";
import { startRegistry } from "./support/registry-process.ts";
import { ServiceProcess } from "./support/service-process.ts";
import { tempFolder } from "./support/temp-folder.ts";

const clients = 4;

describe("a rolling restart of two nodes", () => {
  it("loses no request", { timeout: 120_000 }, async () => {
    using folder = tempFolder();
    const settings = { drainSeconds: "1", scanPatienceSeconds: "1" };
    await using first = await startRegistry(folder.path, settings);
    await using second = await ServiceProcess.start({ data: `${folder.path}/data`, offline: "1", ...settings });
    await second.listening();
    const processes = [first.process, second];
    const nodes: BalancedNode[] = processes.map(({ url, healthUrl }) => ({ url, healthUrl }));
    await using balancer = await startBalancer(nodes);
    const failures: string[] = [];
    let requests = 0;
    let isOver = false;
    const work = async (index: number) => {
      const client = new PushClient(`${balancer.url}/v2/alice/app${index}/`, first.token, () => void requests++);
      for (let round = 0; !isOver; round++) {
        const blob = contentOf(`content ${index} ${round}`);
        const config = contentOf("{}");
        const layer = {
          mediaType: "application/vnd.oci.image.layer.v1.tar",
          digest: blob.digest,
          size: blob.bytes.length,
        };
        const mediaType = "application/vnd.oci.image.manifest.v1+json";
        const described = { mediaType: "application/vnd.oci.empty.v1+json", digest: config.digest, size: 2 };
        const manifest = contentOf(JSON.stringify({ schemaVersion: 2, mediaType, config: described, layers: [layer] }));
        const image = { ...manifest, mediaType, blobs: [config, blob], images: [] };
        await client.push(image, { tag: "latest" }).catch((error: unknown) => failures.push(String(error)));
        await client.pull("latest").catch((error: unknown) => failures.push(String(error)));
      }
    };
    const working = Array.from({ length: clients }, (_, index) => work(index));

    for (const [index, process] of processes.entries()) {
      const node = nodes[index] as BalancedNode;
      const before = requests;
      await expect.poll(() => requests - before, { timeout: 30_000 }).toBeGreaterThan(20);
      expect(await process.stop()).toBe(0);
      await process.restart();
      await process.listening();
      node.healthUrl = process.healthUrl;
      await balancer.waitFor(node, true);
    }
    isOver = true;
    await Promise.all(working);

    expect(failures).toEqual([]);
    expect(requests).toBeGreaterThan(40);
  });
});
