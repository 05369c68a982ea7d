/** Scan results in the formats of other tools: pure functions of a report. */
export { toCsv } from "./formats/csv.ts";
export { type CycloneDxVersion, toCycloneDx } from "./formats/cyclonedx.ts";
export { toCycloneDxXml } from "./formats/cyclonedx-xml.ts";
export { type GitHubJob, type GitHubStamp, toGitHubSnapshot } from "./formats/github-snapshot.ts";
export { toGitLab } from "./formats/gitlab.ts";
export { toHtml } from "./formats/html.ts";
export { toJunit } from "./formats/junit.ts";
export { toMarkdown } from "./formats/markdown.ts";
export { markdownText } from "./formats/markdown-text.ts";
export { toOpenVex } from "./formats/openvex.ts";
export type { DocumentStamp, FindingsStamp, MatchedImage, ReportedImage } from "./formats/reported-image.ts";
export { toSarif } from "./formats/sarif.ts";
export { toSpdx } from "./formats/spdx.ts";
export { toSpdx3 } from "./formats/spdx3.ts";
export { checkTemplate, fromTemplate, type TemplateStamp } from "./formats/template.ts";
export type {
  TemplateCounts,
  TemplateData,
  TemplateFinding,
  TemplateSuppressed,
} from "./formats/template-data.ts";
export { toVex } from "./formats/vex.ts";
