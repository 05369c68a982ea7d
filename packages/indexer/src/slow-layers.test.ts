import { allEcosystems, createEngine, ScanError } from "@plimsoll/core";
import { coalesce } from "@plimsoll/core/internal";
import { digestOf, fullTestRuns, slowLayers, streamBytes } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { nodeReaders } from "./adapters/platform/node-readers.ts";
import { parseLayerRecord } from "./values/layer-record.ts";

const engine = createEngine({ ecosystems: allEcosystems });
const { readLayer } = nodeReaders(engine);

/** What the ones come to that are refused, at this scale. */
const refused: Readonly<Record<string, RegExp>> = {
  "folders 2,000 deep": /more than maxEntries, 2000000 paths/,
  "folders below a chain of links": /following the links of the layer takes more than/,
  packages: /more than maxFindings, 40000/,
  "packages with long names": /more than maxFindingCharacters, 16777216/,
};

/** At this scale a limit is passed where one is; layers that are read need not be so large in each run. */
const scale = 45_000;
const [large, usual] = [slowLayers(scale), slowLayers(fullTestRuns(scale))];
const layers = large.map((layer, at) => (layer.name in refused ? layer : (usual[at] ?? layer)));

describe("layers that are made to be slow", () => {
  it.each(layers.map((layer) => [layer.name, layer] as const))(
    "%s: read, or refused by a limit",
    async (name, layer) => {
      const bytes = layer.build();

      const read = await readLayer({
        open: () => streamBytes(bytes, 65_536),
        reopens: true,
        expected: { digest: digestOf(bytes) },
      }).catch((error: unknown) => error);

      const expected = refused[name];
      if (expected === undefined) {
        if (read instanceof Error) throw read;
        const findings = parseLayerRecord((read as Awaited<ReturnType<typeof readLayer>>).record);
        expect(coalesce(engine, findings.digest, [{ status: "read", findings }]).success).toBe(true);
      } else {
        expect(read).toBeInstanceOf(ScanError);
        expect((read as ScanError).message).toMatch(expected);
        expect((read as ScanError).code).toBe("entry_limit");
      }
    },
  );
});
