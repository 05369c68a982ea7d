import { ScanError } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import { vexKind } from "@plimsoll/core/internal";
import { safeText } from "@plimsoll/core/internal/safe-text";
import { type ImageSource, parseVex, type VexStatement } from "@plimsoll/scanner";
import type { Session } from "../cli/session.ts";

/** The VEX statements of documents attached to an image. */
export interface AttachedStatements {
  readonly statements: readonly VexStatement[];
  /** The digests by which statements may name the image. */
  readonly digests: readonly string[];
}

/** For an image without attached documents. */
export const nothingAttached: AttachedStatements = { statements: [], digests: [] };

/**
 * Reads the VEX documents attached to the images of a source, in the order of the images; nothing without the setting
 * `attachedVex`. A document that cannot be read is skipped with a warning.
 * @throws ScanError `aborted`
 */
export async function readAttachedStatements(
  { settings, io, warn }: Session,
  source: ImageSource,
  images: readonly Digest[],
): Promise<readonly AttachedStatements[]> {
  if (!settings.attachedVex || images.length === 0) return [];
  const { readAttached } = source;
  if (readAttached === undefined) {
    warn(
      `--attached-vex: ${safeText(source.name)} is not an image in a registry, so it cannot have attached documents`,
    );
    return [];
  }
  const found: AttachedStatements[] = [];
  for (const image of images) {
    const options = { kind: vexKind, signal: io.signal };
    const { documents, problems, digests } = await readAttached(image, options);
    for (const { at, message } of problems) warn(`${safeText(at)}: ${safeText(message)}`);
    const statements = documents.flatMap(({ digest, bytes }) => statementsOf(digest, bytes, warn));
    found.push({ statements, digests });
  }
  return found;
}

function statementsOf(digest: Digest, bytes: Uint8Array, warn: Session["warn"]): readonly VexStatement[] {
  try {
    return parseVex(bytes, `attached ${digest}`).map((each) => ({ ...each, isAttached: true }));
  } catch (error) {
    if (!(error instanceof ScanError) || error.code !== "malformed_vex") throw error;
    warn(safeText(`${error.message}; no statement of the document is applied`));
    return [];
  }
}
