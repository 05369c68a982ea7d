import { findEndOfLife } from "@plimsoll/core";
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

/** How it is said. */
export interface HeaderView {
  readonly palette: Palette;
  /** Epoch milliseconds: what has ended before is said. */
  readonly now: number;
}

/** The lines above a table. */
export function* imageHeader(image: ImageIdentity, { palette, now }: HeaderView): Iterable<string> {
  const { platform, index } = image;
  yield palette.strong(safeText(imageName(image)) + (platform === undefined ? "" : ` (${formatPlatform(platform)})`));
  yield palette.quiet(index.manifestDigest);
  yield palette.quiet(`distribution: ${distributionText(Object.values(index.distributions))}`);
  for (const { distribution, day } of endedDistributions(index, now))
    yield palette.strong(`end of life: the last security fixes for ${nameOf(distribution)} came on ${day}`);
  yield "";
}

/** A distribution that gets no security fixes any more, and the last day on which it got some. */
export interface EndedDistribution {
  readonly distribution: Distribution;
  readonly day: string;
}

/** The distributions of an image that have reached the end of their life. */
export function endedDistributions({ distributions, repositories }: IndexReport, now: number): EndedDistribution[] {
  const today = new Date(now).toISOString().slice(0, 10);
  return Object.values(distributions).flatMap((distribution) => {
    const day = findEndOfLife(distribution, Object.values(repositories));
    return day === undefined || day >= today ? [] : [{ distribution, day }];
  });
}

/** The source, with the image's own name where that says more. */
export function imageName({ source, reference }: Pick<ImageIdentity, "source" | "reference">): string {
  return source.endsWith(reference) ? source : `${source} ${reference}`;
}

function distributionText(distributions: readonly Distribution[]): string {
  if (distributions.length === 0) return "none found";
  return distributions.map(nameOf).join("; ");
}

function nameOf({ prettyName, name, did }: Distribution): string {
  return safeText(prettyName ?? name ?? did ?? "unnamed");
}
