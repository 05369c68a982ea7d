/**
 * What mirrors and caches do with each fault of another registry: a table of statuses, methods and objects. Another image of the same
 * repository is never concerned, unless the registry limits the rate of requests, and not only those for one object.
 */
import {
  type BuiltImage,
  buildImage,
  buildLayer,
  memoryTestEngine,
  openRegistryServer,
  type RegistryFault,
} from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openMirrorWorld } from "../packages/registry-api/src/sources/mirrors/fixtures/mirror-world.ts";
import { openProxyWorld } from "../packages/registry-api/src/sources/proxy-caches/fixtures/proxy-world.ts";
import { guardedUpstreams } from "../packages/server/src/registry/upstreams.ts";

type FaultyObject = "tag" | "manifest" | "blob" | "referrers";

interface FaultRow {
  readonly object: FaultyObject;
  readonly method?: "HEAD";
  readonly statuses: readonly number[];
  /** The status that a client of the cache gets. */
  readonly cache: number;
  /** Whether the mirror copies the image. */
  readonly mirror: "copied" | "failed";
}

const served = { cache: 200, mirror: "copied" } as const;
const gone = { cache: 404, mirror: "failed" } as const;
const refused = { cache: 502, mirror: "failed" } as const;
const passing = { cache: 503, mirror: "failed" } as const;
const limited = { cache: 429, mirror: "failed" } as const;

const rows: readonly FaultRow[] = [
  { object: "tag", method: "HEAD", statuses: [307, 400, 403, 404, 405, 410, 501], ...served },
  { object: "tag", method: "HEAD", statuses: [500, 503], ...passing },
  ...(["tag", "blob"] as const).flatMap((object): readonly FaultRow[] => [
    { object, statuses: [401, 403, 404], ...gone },
    { object, statuses: [400, 405, 410, 451], ...refused },
    { object, statuses: [408, 500, 501, 502, 503, 504], ...passing },
    { object, statuses: [429], ...limited },
  ]),
  // Both ask for manifests by the tag first: a cache by HEAD, and a mirror by GET too.
  { object: "manifest", statuses: [404], cache: 404, mirror: "copied" },
  { object: "manifest", statuses: [400], cache: 502, mirror: "copied" },
  { object: "manifest", statuses: [503], cache: 503, mirror: "copied" },
  { object: "referrers", statuses: [400, 404, 405, 501], ...served },
];

const upstreams = guardedUpstreams(
  { allowedInternalHosts: ["127.0.0.1"], onRefused: () => {} },
  { retry: { sleep: async () => {}, maxRetryAfterMs: 0 } },
);

describe("a registry that answers with an error", () => {
  for (const { object, method, statuses, cache, mirror } of rows) {
    const asked = `${statuses} to ${method ?? "every request"} for the ${object}`;

    it(`has images that a cache answers with ${cache}, and all others: ${asked}`, async () => {
      await using source = await openSource(statuses.length);
      for (const [index, status] of statuses.entries()) source.break({ object, status, method }, index);
      const config = { upstream_registry: `${source.server.host}/team` };
      await using world = await openProxyWorld(memoryTestEngine, upstreams, { config });

      const pulled = [];
      for (const [index] of statuses.entries()) {
        pulled.push([await world.pull("app", `broken${index}`), await world.pull("app", "whole")]);
        await world.work();
      }

      const whole = statuses.includes(429) ? 429 : [source.whole.digest];
      expect(pulled).toEqual(source.images.map(({ digest }) => [cache === 200 ? [digest] : cache, whole]));
    });

    it(`has images that are ${mirror} by a mirror, and all others: ${asked}`, async () => {
      await using source = await openSource(statuses.length);
      for (const [index, status] of statuses.entries()) source.break({ object, status, method }, index);
      const mirrored = { external_reference: `${source.server.host}/team/app`, ...everyTag };
      await using world = await openMirrorWorld(memoryTestEngine, upstreams, mirrored);

      await world.sync();

      const copied = mirror === "copied" ? source.images.map(({ digest }, index) => [`broken${index}`, digest]) : [];
      const whole = statuses.includes(429) ? {} : { whole: source.whole.digest };
      expect(await world.tags()).toEqual({ ...Object.fromEntries(copied), ...whole });
    });
  }
});

describe("a registry that limits requests for one blob", () => {
  it("is asked for all others, also while a job tries the blob again", async () => {
    await using source = await openSource(2);
    source.break({ object: "blob", status: 429, method: undefined }, 0);
    const config = { upstream_registry: `${source.server.host}/team` };
    await using world = await openProxyWorld(memoryTestEngine, upstreams, { config });
    const pulled = [await world.pull("app", "broken0")];
    world.registry.time.now += 5000;
    await world.work();

    for (const name of ["whole", "broken0", "broken1"]) pulled.push(await world.pull("app", name));

    expect(pulled).toEqual([429, [source.whole.digest], 429, [source.images[1]?.digest]]);
  });
});

describe("a registry that answers with an error to requests for referrers", () => {
  it("is never taken for one that has none", async () => {
    const statuses = [400, 404, 405, 501, 401, 403, 408, 500, 429];
    await using source = await openSource(statuses.length);
    for (const [index, status] of statuses.entries()) {
      source.break({ object: "referrers", status, method: undefined }, index);
    }
    const config = { upstream_registry: `${source.server.host}/team` };
    await using world = await openProxyWorld(memoryTestEngine, upstreams, { config });

    const answered = [];
    for (const { digest } of source.images) {
      const answer = await world.send("GET", `hub/app/referrers/${digest}`, { as: "bob" }); // before any pull of the repository
      answered.push(answer.status);
    }

    expect(answered).toEqual([404, 404, 404, 404, 404, 404, 503, 503, 429]);
  });
});

const everyTag = { root_rule: { rule_kind: "tag_glob_csv", rule_value: ["*"] } };

interface Fault extends Pick<FaultRow, "object"> {
  readonly status: number;
  readonly method: FaultRow["method"];
}

/** A registry with images `broken0`, `broken1` and so on, and an image `whole`, which a mirror copies after them. */
async function openSource(count: number) {
  const images = await Promise.all(Array.from({ length: count }, (_, index) => imageOf(`broken${index}`)));
  const whole = await imageOf("whole");
  const server = await openRegistryServer();
  for (const [index, image] of images.entries()) server.put("team/app", image, `broken${index}`);
  server.put("team/app", whole, "whole");
  return {
    ...{ images, whole, server },
    /** Breaks an object of an image for good. */
    break({ object, status, method }: Fault, index: number): void {
      const image = images[index];
      const paths: Readonly<Record<FaultyObject, string>> = {
        tag: `/manifests/broken${index}`,
        manifest: `/manifests/${image?.digest}`,
        blob: `/blobs/${image?.layers[0]?.digest}`,
        referrers: `/referrers/${image?.digest}`,
      };
      const fault: RegistryFault = { kind: "status", status, path: paths[object], isLasting: true };
      server.fail({ ...fault, ...(method !== undefined && { method }) });
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function imageOf(name: string): Promise<BuiltImage> {
  return buildImage({ layers: [await buildLayer({ name })] });
}
