/** Scan results in the formats of other tools: plain functions of a report, which read no clock and open no file. */
export { toCycloneDx } from "./formats/cyclonedx.ts";
export type { DocumentStamp, MatchedImage, ReportedImage } from "./formats/reported-image.ts";
export { toSpdx } from "./formats/spdx.ts";
