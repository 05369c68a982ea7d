import { decodePathSet, type LayerFindings, parseDigest } from "@plimsoll/core";

/** Findings as JSON text; the path sets of the layer's shape are encoded. */
export function formatLayerRecord(findings: LayerFindings): string {
  const { shape } = findings;
  return JSON.stringify({
    ...findings,
    shape: { ...shape, leaves: shape.leaves.encode(), folders: shape.folders.encode() },
  });
}

/** The findings of {@link formatLayerRecord}; undefined when the text is none of its, as after damage. */
export function parseLayerRecord(text: string): LayerFindings | undefined {
  try {
    const record = JSON.parse(text);
    const { shape } = record;
    return {
      ...record,
      digest: parseDigest(record.digest),
      shape: { ...shape, leaves: decodePathSet(shape.leaves), folders: decodePathSet(shape.folders) },
    };
  } catch {
    return undefined;
  }
}
