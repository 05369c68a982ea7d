import { decodePathSet, type LayerFindings, parseDigest } from "@plimsoll/core";

/** Findings as JSON text; the path sets of the layer's shape are encoded. */
export function formatLayerRecord(findings: LayerFindings): string {
  const { removed, opaque, leaves, folders } = findings.shape;
  const shape = {
    removed: removed.encode(),
    opaque: opaque.encode(),
    leaves: leaves.encode(),
    folders: folders.encode(),
  };
  return JSON.stringify({ ...findings, shape });
}

/** The findings of {@link formatLayerRecord}; undefined when the text is none of its, as after damage. */
export function parseLayerRecord(text: string): LayerFindings | undefined {
  try {
    const record = JSON.parse(text);
    const { removed, opaque, leaves, folders } = record.shape;
    const shape = {
      removed: decodePathSet(removed),
      opaque: decodePathSet(opaque),
      leaves: decodePathSet(leaves),
      folders: decodePathSet(folders),
    };
    return { ...record, digest: parseDigest(record.digest), shape };
  } catch {
    return undefined;
  }
}
