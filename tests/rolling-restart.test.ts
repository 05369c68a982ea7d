/**
 * Two nodes of a registry behind a balancer, restarted one after the other under load: on one folder with SQLite, and on PostgreSQL
 * with an S3 store (where `PLIMSOLL_TEST_POSTGRES` and `PLIMSOLL_TEST_S3` name them).
 */
import { randomBytes } from "node:crypto";
import { engineTitle } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { type BalancedNode, startBalancer } from "./support/balancer.ts";
import { installations } from "./support/installations.ts";
import { manifestOf } from "./support/outage-clients.ts";
import { contentOf, PushClient } from "./support/push-client.ts";
import { startRegistry } from "./support/registry-process.ts";
import { ServiceProcess } from "./support/service-process.ts";
import { tempFolder } from "./support/temp-folder.ts";

const clients = 4;
describe.each(installations.map((one) => ({ ...one, title: engineTitle(one.engine) })))(
  "a rolling restart of two nodes on $title and $blobs",
  ({ engine, settings: ofBlobs, skip }) => {
    it.skipIf(skip !== undefined)(
      "loses no request, and nothing that was acknowledged",
      async () => {
        using folder = tempFolder();
        await using database = await engine.create();
        const settings = {
          ...ofBlobs,
          database: database.location,
          secretKey: randomBytes(32).toString("base64"),
          drainSeconds: "1",
          scanPatienceSeconds: "1",
        };
        await using first = await startRegistry(folder.path, settings);
        await using second = await ServiceProcess.start({ data: `${folder.path}/data`, offline: "1", ...settings });
        await second.listening();
        const processes = [first.process, second];
        const nodes: BalancedNode[] = processes.map(({ url, healthUrl }) => ({ url, healthUrl }));
        await using balancer = await startBalancer(nodes);
        const failures: string[] = [];
        const note = (error: unknown) => failures.push(String(error));
        const acknowledged: (() => Promise<void>)[] = [];
        let requests = 0;
        let isOver = false;
        const work = async (index: number) => {
          const client = new PushClient(`${balancer.url}/v2/alice/app${index}/`, first.token, () => void requests++);
          for (let round = 0; !isOver; round++) {
            const tag = `round-${round}`;
            const image = manifestOf(tag, [contentOf(`content ${index} ${round}`)]);
            const check = async () => expect([tag, await client.pull(tag)]).toEqual([tag, image.digest]);
            await client.push(image, { tag }).then(() => acknowledged.push(check), note);
            await check().catch(note);
          }
        };
        const working = Array.from({ length: clients }, (_, index) => work(index));

        for (const [index, process] of processes.entries()) {
          const node = nodes[index] as BalancedNode;
          const before = requests;
          await expect.poll(() => requests - before).toBeGreaterThan(20);
          expect(await process.stop()).toBe(0);
          await process.restart();
          await process.listening();
          node.healthUrl = process.healthUrl;
          await balancer.waitUntilReady(node);
        }
        isOver = true;
        await Promise.all(working);

        expect(failures).toEqual([]);
        expect(requests).toBeGreaterThan(40);
        expect(acknowledged.length).toBeGreaterThan(5);
        for (const check of acknowledged) await check();
      },
      120_000,
    );
  },
);
