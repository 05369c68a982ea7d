import { type LayerFindings, pathSetOf } from "@plimsoll/core";
import type { PackedFindings } from "./messages.ts";

/** Findings as data that may go to another thread. */
export function packFindings(findings: LayerFindings): PackedFindings {
  const { removed, opaque, leaves, folders } = findings.shape;
  const shape = {
    removed: removed.hashes,
    opaque: opaque.hashes,
    leaves: leaves.hashes,
    folders: folders.hashes,
  };
  return { ...findings, shape };
}

/** The memory that packed findings need not keep: it is handed over. */
export function memoryOf({ shape }: PackedFindings): ArrayBuffer[] {
  return Object.values(shape).map((hashes) => hashes.buffer);
}

/** The inverse of {@link packFindings}. */
export function unpackFindings(findings: PackedFindings): LayerFindings {
  const { removed, opaque, leaves, folders } = findings.shape;
  const shape = {
    removed: pathSetOf(removed),
    opaque: pathSetOf(opaque),
    leaves: pathSetOf(leaves),
    folders: pathSetOf(folders),
  };
  return { ...findings, shape };
}
