import { safeText } from "@plimsoll/core/safe-text";
import { type Distribution, formatPlatform, type IndexReport, type Platform } from "@plimsoll/scanner";
import type { Palette } from "./colour.ts";

/** What every result says first: which image, for which platform, of which distribution. */
export interface ImageIdentity {
  readonly source: string;
  readonly reference: string;
  readonly platform?: Platform;
  readonly index: IndexReport;
}

/** The lines above a table. */
export function* imageHeader(image: ImageIdentity, palette: Palette): Iterable<string> {
  const { platform, index } = image;
  yield palette.strong(safeText(imageName(image)) + (platform === undefined ? "" : ` (${formatPlatform(platform)})`));
  yield palette.quiet(index.manifestDigest);
  yield palette.quiet(`distribution: ${distributionText(Object.values(index.distributions))}`);
  yield "";
}

/** The source, with the image's own name where that says more. */
export function imageName({ source, reference }: Pick<ImageIdentity, "source" | "reference">): string {
  return source.endsWith(reference) ? source : `${source} ${reference}`;
}

function distributionText(distributions: readonly Distribution[]): string {
  if (distributions.length === 0) return "none found";
  return distributions.map((found) => safeText(found.prettyName ?? found.name ?? found.did ?? "unnamed")).join("; ");
}
