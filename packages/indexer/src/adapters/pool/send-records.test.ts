import { parseDigest } from "@plimsoll/core/digest";
import { buildPathSet } from "@plimsoll/core/internal";
import { describe, expect, it } from "vitest";
import type { RecordedLayer } from "../../make-report.ts";
import { formatLayerRecord, type LayerRecord } from "../../values/layer-record.ts";
import { encodeRecords, readRecords } from "./send-records.ts";

const chunkBytes = 64 * 1024;
const nothing = buildPathSet([]);
const digestOf = (digit: string) => parseDigest(`sha256:${digit.repeat(64)}`);

/** The record of a layer with databases of these paths. */
function recordOf(name: "1" | "2", paths: readonly string[]) {
  const findings = {
    digest: digestOf(name),
    findings: { detector: paths.map((path) => ({ kind: "database" as const, path })) },
    shape: { removed: nothing, opaque: nothing, leaves: buildPathSet(paths), folders: nothing },
    entries: paths.length,
    uncompressedBytes: 1,
  };
  return formatLayerRecord(findings);
}

describe("records that are sent to another thread", () => {
  it.each([
    ["short", ["a"]],
    ["of no lines but the first", []],
    ["longer than a chunk", Array.from({ length: 5_000 }, (_, index) => `usr/share/${index}`)],
    [
      "of characters that a chunk ends in the middle of",
      [0, 1, 2, 3].map((shift) => `${"-".repeat(shift)}${"🚢".repeat(40_000)}`),
    ],
  ])("are the same there: %s", async (_, paths) => {
    const made = [recordOf("1", paths), recordOf("2", [...paths, "last"])];
    const foreign = { status: "foreign" as const, digest: digestOf("3"), message: "elsewhere" };
    const [first, second] = made.map((record): RecordedLayer => ({ status: "read", record }));
    const layers = [first, foreign, second] as RecordedLayer[];
    const heads = layers.map((layer) =>
      layer.status === "read" ? ({ status: "read", digest: layer.record.digest } as const) : layer,
    );

    const files = { databases: { layer: 0, paths: ["a"] }, logs: { layer: 2, paths: ["a-wal"] } };
    const [record] = made as [LayerRecord];
    const joined = [{ files, record: { status: "read", digest: record.digest } as const }];

    const read = await readRecords({ layers: heads, joined }, encodeRecords({ layers, joined: [{ files, record }] }));

    const sent = (layer: (typeof read.layers)[number]) =>
      layer.status === "read" ? formatLayerRecord(layer.findings) : layer;
    expect(read.layers.map(sent)).toEqual([made[0], foreign, made[1]]);
    expect(read.joined.map((each) => [each.files, formatLayerRecord(each.record)])).toEqual([[files, record]]);
  });

  it("are encoded in one small memory, however long they are", async () => {
    const record = recordOf(
      "1",
      Array.from({ length: 50_000 }, (_, index) => `usr/share/${index}`),
    );
    const memories = new Set<ArrayBufferLike>();
    let mostBytes = 0;
    for await (const chunk of encodeRecords({ layers: [{ status: "read", record }] })) {
      memories.add(chunk.buffer);
      mostBytes = Math.max(mostBytes, chunk.byteLength);
    }

    expect(mostBytes).toBeLessThanOrEqual(chunkBytes);
    expect(memories.size).toBe(2); // that of lines' ends included
  });
});
