/** Markdown for a comment of a pull or merge request. */
import { severities } from "@plimsoll/core/severity";
import { countOf, coverageSentences, isWhollyAssessed } from "./coverage-sentences.ts";
import { percentText, webLinks } from "./finding-texts.ts";
import { type ImageFinding, type ImageFindings, listImageFindings, listSuppressed } from "./image-findings.ts";
import { markdownText } from "./markdown-text.ts";
import { type FindingsStamp, type MatchedImage, toolName, toolPage } from "./reported-image.ts";

/** GitHub limits comments to 65,536 characters. */
const maxLength = 60_000;
/** Longer names, versions and sentences are truncated. */
const maxTextLength = 300;
const shownSentences = 20;

/**
 * Formats the findings of an image as Markdown that fits into a comment on GitHub or GitLab: a summary, what was not assessed, and a
 * table with the greatest risk first. The first line is an HTML comment by which a program can find the comment again.
 *
 * @example
 * declare const report: ScanReport;
 * toMarkdown(report, { toolVersion: "1.0.0", createdAt: Date.now() });
 */
export function toMarkdown(image: MatchedImage, stamp: FindingsStamp): string {
  const found = listImageFindings(image, stamp);
  const gaps = coverageSentences(image, stamp.createdAt);
  const suppressed = listSuppressed(image).length;
  const head = [
    `<!-- ${toolName} -->`,
    `### ${cell(image.reference)}`,
    "",
    `**${summaryOf(image, found)}**${suppressed > 0 ? ` ${suppressed} more suppressed by statements.` : ""}`,
    "",
    ...gapLines(gaps),
  ];
  const foot = [
    "",
    `<sub>${cell(image.index.manifestDigest)} · ${countOf(Object.keys(image.index.packages).length, "package")} · [${toolName}](${toolPage}) ${cell(stamp.toolVersion)}</sub>`,
  ];
  const room = maxLength - [...head, ...foot].join("\n").length;
  return [...head, ...tableOf(found.shown, room), ...foot].join("\n");
}

function summaryOf(image: MatchedImage, { shown, hidden }: ImageFindings): string {
  const bySeverity = Map.groupBy(shown, ({ severity }) => severity);
  const counts = severities.toReversed().flatMap((each) => {
    const count = bySeverity.get(each)?.length ?? 0;
    return count === 0 ? [] : [`${count} ${each}`];
  });
  const exploited = shown.filter(({ risk }) => risk.isExploited).length;
  const words = [
    `${shown.length} ${shown.length === 1 ? "finding" : "findings"}${counts.length === 0 ? "" : ` (${counts.join(", ")})`}`,
    ...(exploited === 0 ? [] : [`${exploited} known to be exploited`]),
    ...(hidden === 0 ? [] : [`${hidden} not shown`]),
  ];
  return isWhollyAssessed(image) ? `${words.join(", ")}.` : `${words.join(", ")} in what could be assessed.`;
}

function gapLines(gaps: readonly string[]): readonly string[] {
  if (gaps.length === 0) return [];
  const more = gaps.length > shownSentences ? [`- and ${gaps.length - shownSentences} more`] : [];
  const lines = gaps.slice(0, shownSentences).map((gap) => `- ${cell(gap)}`);
  return [
    `<details><summary>⚠️ Not everything was assessed (${gaps.length})</summary>`,
    "",
    ...lines,
    ...more,
    "",
    "</details>",
    "",
  ];
}

function tableOf(findings: readonly ImageFinding[], room: number): readonly string[] {
  if (findings.length === 0) return [];
  const head = [
    "| Vulnerability | Severity | Package | Installed | Fixed in | EPSS | Exploited |",
    `${"| --- ".repeat(7)}|`,
  ];
  let left = room - 200;
  const rows: string[] = [];
  for (const finding of findings) {
    const row = rowOf(finding);
    left -= row.length + 1;
    if (left < 0) break;
    rows.push(row);
  }
  const more = findings.length - rows.length;
  return [...head, ...rows, ...(more > 0 ? ["", `${more} more findings do not fit into a comment.`] : [])];
}

function rowOf({ id, severity, package: found, fixedIn, risk, vulnerability }: ImageFinding): string {
  const [link] = webLinks(vulnerability.links);
  const cells = [
    link === undefined || link.length > maxTextLength ? cell(id) : `[${cell(id)}](<${link.replaceAll("|", "%7C")}>)`,
    severity,
    cell(found.name),
    cell(found.version),
    fixedIn === undefined ? "no fix" : cell(fixedIn),
    risk.epss === undefined ? "" : percentText(risk.epss.probability).replace("<", "&lt;"),
    risk.isExploited ? "**yes**" : "",
  ];
  return `| ${cells.join(" | ")} |`;
}

function cell(text: string): string {
  return markdownText(text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text);
}
