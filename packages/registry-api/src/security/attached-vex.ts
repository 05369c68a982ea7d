import { parseVex, type VexStatement, vexKind } from "@plimsoll/core";
import type { ImageManifestRow } from "../content/queries/image-manifests.ts";
import { type Attached, type AttachedContext, readAttachedDocuments } from "./attached-documents.ts";

/** Reads the statements of VEX documents that are attached to an image, or to an index that lists it. */
export function readAttachedVex(manifest: ImageManifestRow, context: AttachedContext): Promise<Attached<VexStatement>> {
  return readAttachedDocuments(manifest, context, { kind: vexKind, parse: parseVex });
}
