import { type IndexedImage, toCoveredIndexReportJson } from "@plimsoll/scanner";
import { type GitHubStamp, toCycloneDx, toGitHubSnapshot, toSpdx } from "@plimsoll/scanner/formats";
import type { SbomFormat } from "../cli/output-format.ts";
import type { Renderers } from "../cli/write-results.ts";
import { prettyJson } from "./json.ts";

/** How bills of materials are written. */
export interface SbomView {
  /** Whether the user asked for every platform: JSON is then a list. */
  readonly several: boolean;
  readonly stamp: GitHubStamp;
}

/** The renderers for bills of materials. JSON is the contract's `index_report` with an additional member `coverage`. */
export function sbomRenderers(images: readonly IndexedImage[], { several, stamp }: SbomView): Renderers<SbomFormat> {
  const reported = images.map(({ report, ...about }) => ({ ...about, index: report }));
  const reports = images.map(({ report }) => toCoveredIndexReportJson(report));
  return {
    json: () => [prettyJson(several ? reports : reports[0])],
    cyclonedx: () => reported.map((image) => prettyJson(toCycloneDx(image, stamp))),
    github: () => reported.map((image) => prettyJson(toGitHubSnapshot(image, stamp))),
    spdx: () => reported.map((image) => prettyJson(toSpdx(image, stamp))),
  };
}
