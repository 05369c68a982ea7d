/**
 * JUnit XML, which Jenkins, GitLab and most build systems read.
 *
 * @see https://github.com/jenkinsci/xunit-plugin/blob/master/src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd
 */
import { coverageIn, coverageSentences } from "./coverage-sentences.ts";
import { packageText, remedyText, titleText, webLinks } from "./finding-texts.ts";
import { cvssRatings, type ImageFinding, listImageFindings, listSuppressed } from "./image-findings.ts";
import { type FindingsStamp, type MatchedImage, toolName } from "./reported-image.ts";
import { xmlElement, xmlText } from "./xml-text.ts";

/**
 * Formats the findings of an image as JUnit XML: each finding is a failed test, each gap a test that could not run (`error`), and each
 * suppressed finding a skipped test. An image with none of these has one test that passed.
 *
 * @example
 * declare const report: ScanReport;
 * toJunit(report, { toolVersion: "1.0.0", createdAt: Date.now() });
 */
export function toJunit(image: MatchedImage, stamp: FindingsStamp): string {
  const { shown, hidden } = listImageFindings(image, stamp);
  const gaps = coverageSentences(image, stamp.createdAt);
  const suppressed = listSuppressed(image);
  const cases = [
    ...shown.map(failureOf),
    ...gaps.map((gap) =>
      testCase({ name: gap, classname: "coverage" }, xmlElement("error", { type: "not assessed", message: gap })),
    ),
    ...suppressed.map(({ component, vulnerability, statement: { status, justification = "", detail = "" } }) => {
      const name = `${vulnerability.name} in ${component.package.name}`;
      const message = [status, justification, detail].filter(Boolean).join(": ");
      return testCase({ name, classname: component.package.name }, xmlElement("skipped", { message }));
    }),
  ];
  const all = cases.length > 0 ? cases : [testCase({ name: "no findings", classname: "image" })];
  const counts = { tests: all.length, failures: shown.length, errors: gaps.length };
  const properties = {
    tool: `${toolName} ${stamp.toolVersion}`,
    source: image.source,
    manifest: image.index.manifestDigest,
    coverage: coverageIn(image).status,
    hidden: String(hidden),
  };
  const suite = { name: image.reference, ...counts, skipped: suppressed.length };
  const timestamp = new Date(stamp.createdAt).toISOString().slice(0, 19);
  const content = [
    xmlElement(
      "properties",
      {},
      Object.entries(properties)
        .map(([name, value]) => xmlElement("property", { name, value }))
        .join(""),
    ),
    ...all,
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xmlElement(
    "testsuites",
    { name: toolName, ...counts },
    `\n${xmlElement("testsuite", { ...suite, timestamp }, `\n${content.join("\n")}\n`)}\n`,
  )}`;
}

function failureOf(finding: ImageFinding): string {
  const { component, severity, severitySource, risk, vulnerability, fixedIn } = finding;
  const fix = fixedIn === undefined ? "no fix" : `fixed in ${fixedIn}`;
  const lines = [
    remedyText(finding),
    `Severity: ${severity} (${severitySource})`,
    ...(risk.isExploited ? ["Known to be exploited."] : []),
    ...cvssRatings(vulnerability).map(({ vector, score, source }) => `CVSS ${score} (${source}): ${vector}`),
    ...(component.purl === undefined ? [] : [component.purl]),
    ...component.locations.map(({ path, layer }) => (layer === undefined ? path : `${path} in layer ${layer}`)),
    ...webLinks(vulnerability.links),
    ...(vulnerability.description === undefined ? [] : [vulnerability.description]),
  ];
  const message = `${severity}: ${packageText(finding)} is affected by ${finding.id}, ${fix}`;
  const failure = xmlElement("failure", { type: severity, message }, xmlText(lines.join("\n")));
  return testCase({ name: titleText(finding), classname: component.package.name }, failure);
}

function testCase(attributes: Readonly<Record<string, string>>, content = ""): string {
  return xmlElement("testcase", attributes, content);
}
