import { type Distribution, formatPlatform, type IndexReport, type Platform } from "@plimsoll/scanner";
import type { Palette } from "./colour.ts";
import { safeText } from "./terminal-text.ts";

/** What every result says first: which image, for which platform, of which distribution. */
export interface ImageIdentity {
  readonly reference: string;
  readonly platform?: Platform;
  readonly index: IndexReport;
}

/** The lines above a table. */
export function* imageHeader({ reference, platform, index }: ImageIdentity, palette: Palette): Iterable<string> {
  const forPlatform = platform === undefined ? "" : ` (${formatPlatform(platform)})`;
  yield palette.strong(`${safeText(reference)}${forPlatform}`);
  yield palette.quiet(index.manifestDigest);
  yield palette.quiet(`distribution: ${distributionText(Object.values(index.distributions))}`);
  yield "";
}

function distributionText(distributions: readonly Distribution[]): string {
  if (distributions.length === 0) return "none found";
  return distributions.map((found) => safeText(found.prettyName ?? found.name ?? found.did ?? "unnamed")).join("; ");
}
