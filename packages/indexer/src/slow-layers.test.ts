import { allEcosystems, coalesce, createEngine, ScanError } from "@plimsoll/core";
import { digestOf, slowLayers, streamBytes } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { nodeReaders } from "./adapters/platform/node-readers.ts";
import { parseLayerRecord } from "./layer-record.ts";

const engine = createEngine({ ecosystems: allEcosystems });
const { readLayer } = nodeReaders(engine);

/** What the ones come to that are refused, at this scale. */
const refused: Readonly<Record<string, RegExp>> = {
  "folders 2,000 deep": /more than maxEntries, 2000000 paths/,
  "folders below a chain of links": /following the links of the layer takes more than/,
  packages: /more than maxFindings, 40000/,
  "packages with long names": /more than maxFindingCharacters, 16777216/,
};

describe("layers that are made to be slow", () => {
  it.each(slowLayers(45_000).map((layer) => [layer.name, layer] as const))(
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
