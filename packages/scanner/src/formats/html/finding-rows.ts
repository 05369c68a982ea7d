import { severities } from "@plimsoll/core";
import { percentText, remedyText } from "../finding-texts.ts";
import { htmlText } from "../html-text.ts";
import { cvssRatings, type ImageFinding, rejectionsOf, weaknessesOf } from "../image-findings.ts";
import { webLinks } from "../web-links.ts";
import { codes, links } from "./parts.ts";

/** The columns of the table of findings, and by which attribute each is sorted. */
const columns = [
  ["Severity", "rank", "number"],
  ["Vulnerability", "id", "text"],
  ["Package", "package", "text"],
  ["Installed", "version", "text"],
  ["Fixed in", "fixed", "text"],
  ["EPSS", "epss", "number"],
  ["CVSS", "cvss", "number"],
  ["Exploited", "kev", "number"],
] as const;

/** The head of the table of findings. */
export const findingHead = `<thead><tr>${columns
  .map(
    ([title, key, kind]) =>
      `<th scope="col"><button type="button" data-key="${key}" data-kind="${kind}">${title}</button></th>`,
  )
  .join("")}</tr></thead>`;

/** One finding: what it is, and below it why. */
export function findingRows(finding: ImageFinding): string {
  const { id, severity, risk, fixedIn, vulnerability, package: found } = finding;
  const { description = "" } = vulnerability;
  const [link] = webLinks(vulnerability.links);
  const name = htmlText(id);
  const cve = /^CVE-/.test(id) ? undefined : vulnerability.aliases.find((alias) => alias.startsWith("CVE-"));
  const alias = cve === undefined ? "" : `<span class="alias">${htmlText(cve)}</span>`;
  const cells = [
    `<td><span class="severity ${severity}">${severity}</span></td>`,
    `<td class="wide">${link === undefined ? name : `<a href="${htmlText(link)}" rel="noreferrer noopener" target="_blank">${name}</a>`}${alias}</td>`,
    `<td data-label="Package">${htmlText(found.name)}</td>`,
    `<td data-label="Installed" class="mono">${htmlText(found.version)}</td>`,
    `<td data-label="Fixed in" class="mono">${fixedIn === undefined ? '<span class="quiet">no fix</span>' : htmlText(fixedIn)}</td>`,
    `<td data-label="EPSS" class="number">${risk.epss === undefined ? "" : htmlText(percentText(risk.epss.probability))}</td>`,
    `<td data-label="CVSS" class="number">${risk.score?.toFixed(1) ?? ""}</td>`,
    `<td>${risk.isExploited ? '<span class="exploited">exploited</span>' : ""}</td>`,
  ];
  return `<tbody class="finding" ${attributesOf(finding)}><tr>${cells.join("")}</tr>
<tr class="more"><td class="wide" colspan="${columns.length}"><details><summary>${htmlText(description.slice(0, 300)) || "Evidence"}</summary>${evidenceOf(finding)}</details></td></tr></tbody>`;
}

function attributesOf({
  id,
  severity,
  risk,
  fixedIn = "",
  vulnerability,
  package: found,
  component,
}: ImageFinding): string {
  const paths = component.locations.map(({ path }) => path);
  const attributes = {
    severity,
    rank: severities.indexOf(severity),
    id,
    package: found.name,
    version: found.version,
    fixed: fixedIn,
    epss: risk.epss?.probability ?? "",
    cvss: risk.score ?? "",
    kev: risk.isExploited ? 1 : 0,
    fixable: fixedIn === "" ? 0 : 1,
    text: [id, ...vulnerability.aliases, found.name, found.version, component.purl ?? "", ...paths].join(" "),
  };
  return Object.entries(attributes)
    .map(([name, value]) => `data-${name}="${htmlText(String(value))}"`)
    .join(" ");
}

function evidenceOf(finding: ImageFinding): string {
  const { vulnerability, component, severitySource, risk, severity } = finding;
  const { description = "", aliases, updater, links: all } = vulnerability;
  const scores = cvssRatings(vulnerability).map(({ vector, score, source }) => `${score} ${vector} (${source})`);
  const others = (vulnerability.ratings ?? []).map(({ source, severity: of, text, score }) => {
    return `${source}: ${of}${text === undefined || score !== undefined ? "" : ` (${text})`}`;
  });
  const { epss } = risk;
  const facts: readonly (readonly [name: string, html: string])[] = [
    ["What to do", htmlText(remedyText(finding))],
    ["Description", description === "" ? "" : `<p>${htmlText(description)}</p>`],
    ["Also called", htmlText(aliases.join(", "))],
    ["Severity", `${severity}, by ${htmlText(severitySource)}`],
    ["All severities", codes(others)],
    [
      "CVE record",
      rejectionsOf(finding.cves)
        .map((text) => `<p>${htmlText(text)}</p>`)
        .join(""),
    ],
    ["Weaknesses", codes(weaknessesOf(finding.cves))],
    ["CVSS", codes(scores)],
    [
      "EPSS",
      epss === undefined
        ? ""
        : `${htmlText(percentText(epss.probability))} within 30 days, percentile ${(epss.percentile * 100).toFixed(2)}`,
    ],
    [
      "Where",
      codes(component.locations.map(({ path, layer }) => (layer === undefined ? path : `${path} in layer ${layer}`))),
    ],
    ["Package URL", codes(component.purl === undefined ? [] : [component.purl])],
    ["CPE", codes(component.cpe === undefined ? [] : [component.cpe])],
    ["Advisory of", htmlText(updater)],
    ["Links", links(webLinks([...new Set([...all, ...finding.cves.flatMap(({ references }) => references)])]))],
  ];
  return `<dl>${facts
    .filter(([, html]) => html !== "")
    .map(([name, html]) => `<dt>${name}</dt><dd>${html}</dd>`)
    .join("")}</dl>`;
}
