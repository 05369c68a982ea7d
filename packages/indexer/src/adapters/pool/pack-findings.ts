import { type LayerFindings, pathSetOf } from "@plimsoll/core";
import type { PackedFindings } from "./messages.ts";

/** Findings as data that may go to another thread. */
export function packFindings(findings: LayerFindings): PackedFindings {
  const { shape } = findings;
  return { ...findings, shape: { ...shape, leaves: shape.leaves.hashes, folders: shape.folders.hashes } };
}

/** The memory that packed findings need not keep: it is handed over. */
export function memoryOf({ shape }: PackedFindings): ArrayBuffer[] {
  return [shape.leaves.buffer, shape.folders.buffer];
}

/** The inverse of {@link packFindings}. */
export function unpackFindings(findings: PackedFindings): LayerFindings {
  const { shape } = findings;
  return { ...findings, shape: { ...shape, leaves: pathSetOf(shape.leaves), folders: pathSetOf(shape.folders) } };
}
