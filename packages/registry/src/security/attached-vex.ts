import { readVexInSlices, vexKind } from "@plimsoll/core/internal";
import type { Json } from "@plimsoll/core/report";
import type { VexStatement } from "@plimsoll/core/vex";
import { cooperativeYield } from "@plimsoll/store";
import type { ImageManifestRow } from "../content/queries/image-manifests.ts";
import { type Attached, type AttachedContext, readAttachedDocuments } from "./attached-documents.ts";

/** Reads the statements of VEX documents that are attached to an image, or to an index that lists it. */
export function readAttachedVex(manifest: ImageManifestRow, context: AttachedContext): Promise<Attached<VexStatement>> {
  const giveWay = cooperativeYield();
  const read = (document: NonNullable<Json>, digest: string) => readVexInSlices(document, digest, giveWay);
  return readAttachedDocuments(manifest, context, { kind: vexKind, read });
}
