import type { VulnerabilityReport } from "@plimsoll/core";
import { type EndOfLife, endedAt, findEndOfLife, releaseName } from "@plimsoll/core/internal";
import { safeText } from "@plimsoll/core/internal/safe-text";
import { type Distribution, formatPlatform, type IndexReport, type Platform } from "@plimsoll/scanner";
import type { Palette } from "./colour.ts";

/** The image at the top of every result, with its platform and distribution. */
export interface ImageIdentity {
  readonly source: string;
  readonly reference: string;
  readonly platform?: Platform;
  readonly index: IndexReport;
  /** Absent if the image was only indexed. */
  readonly vulnerabilities?: VulnerabilityReport;
}

/** The colours and the time of the header. */
export interface HeaderView {
  readonly palette: Palette;
  /** Epoch milliseconds; releases whose end of life is before it are listed. */
  readonly now: number;
}

/** The lines above a table. */
export function* imageHeader(image: ImageIdentity, { palette, now }: HeaderView): Iterable<string> {
  const { platform, index } = image;
  yield palette.strong(safeText(imageName(image)) + (platform === undefined ? "" : ` (${formatPlatform(platform)})`));
  yield palette.quiet(index.manifestDigest);
  yield palette.quiet(`distribution: ${distributionText(Object.values(index.distributions))}`);
  for (const { name, day } of endedReleases(image, now))
    yield palette.strong(`end of life: the last security fixes for ${name} came on ${day}`);
  yield "";
}

/** A release after its end of life, and the last day of security fixes. */
interface EndedRelease {
  readonly name: string;
  readonly day: string;
}

/** The distributions and packages of an image that have reached the end of their life. */
function endedReleases({ index, vulnerabilities }: ImageIdentity, now: number): readonly EndedRelease[] {
  return endedAt(vulnerabilities?.endsOfLife ?? knownEnds(index), now).map((end) => {
    const { day } = end;
    if (end.kind === "distribution") return { name: nameOf(index.distributions[end.distributionId] ?? {}), day };
    const { name, version } = index.packages[end.packageId] ?? { name: "", version: "" };
    return { name: safeText(`${end.product} ${end.release} (${name} ${version})`), day };
  });
}

/** The ends of life that are known without feeds, for an image that was only indexed. */
function knownEnds({ distributions, repositories }: IndexReport): readonly EndOfLife[] {
  return Object.values(distributions).flatMap((distribution) => {
    const day = findEndOfLife(distribution, Object.values(repositories));
    return day === undefined ? [] : [{ kind: "distribution", distributionId: distribution.id, day }];
  });
}

/** The source, followed by the reference unless the source ends with it. */
export function imageName({ source, reference }: Pick<ImageIdentity, "source" | "reference">): string {
  return source.endsWith(reference) ? source : `${source} ${reference}`;
}

function distributionText(distributions: readonly Distribution[]): string {
  if (distributions.length === 0) return "none found";
  return distributions.map(nameOf).join("; ");
}

function nameOf(distribution: Omit<Distribution, "id">): string {
  return safeText(releaseName(distribution) || "unnamed");
}
