/** Reports in a single HTML file. */
import { createHash } from "node:crypto";
import { releaseName } from "@plimsoll/core/internal";
import { formatPlatform } from "@plimsoll/core/platform";
import { countOf, coverageSentences, isWhollyAssessed } from "./coverage-sentences.ts";
import { reportCounts, reportFinding } from "./html/report-finding.ts";
import { reportParts } from "./html/report-parts.generated.ts";
import { htmlText } from "./html-text.ts";
import { type ImageFindings, listImageFindings, listSuppressed } from "./image-findings.ts";
import { type FindingsStamp, type MatchedImage, toolName } from "./reported-image.ts";

/**
 * Formats the report of an image as one HTML page: a summary, what was not assessed, and a table of the findings with their evidence that
 * can be searched, sorted and filtered. It uses the same components as the console. The page makes no requests; without JavaScript the
 * table is static. Its content security policy allows only its own script.
 *
 * @example
 * declare const report: ScanReport;
 * toHtml(report, { toolVersion: "1.0.0", createdAt: Date.now() });
 */
export function toHtml(image: MatchedImage, stamp: FindingsStamp): string {
  const found = listImageFindings(image, stamp);
  const policy = `default-src 'none'; style-src '${hashOf(reportParts.style)}'; script-src '${hashOf(pageScript)}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${htmlText(image.reference)} – ${countOf(found.shown.length, "finding")}</title>
<style>${reportParts.style}</style>
</head>
<body class="scriptless">
${headerOf(image, stamp)}
<main>
<div class="overview"><div>${summaryOf(image, found)}</div>
${coverageOf(image, stamp)}</div>
<h2>Findings</h2>
${found.hidden === 0 ? "" : `<p class="empty">${found.hidden} more ${found.hidden === 1 ? "is" : "are"} not shown: the report was requested with a filter.</p>`}
${findingsOf(found)}
${suppressedOf(image)}
${undecidedOf(image)}
${dataOf(image)}
</main>
<footer>Made by ${toolName} ${htmlText(stamp.toolVersion)} on ${new Date(stamp.createdAt).toISOString()}. Keys: / searches, j and k go from finding to finding, Enter opens one.</footer>
<script>${pageScript}</script>
</body>
</html>`;
}

/** A source of the content security policy. @see https://www.w3.org/TR/CSP3/#grammardef-hash-source */
function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

function headerOf({ reference, source, platform, index }: MatchedImage, { createdAt }: FindingsStamp): string {
  const systems = Object.values(index.distributions).map(releaseName);
  const about = [
    systems.filter(Boolean).join("; ") || "no distribution found",
    ...(platform === undefined ? [] : [formatPlatform(platform)]),
    countOf(Object.keys(index.packages).length, "package"),
    `scanned ${new Date(createdAt).toISOString().slice(0, 16).replace("T", " ")} UTC`,
  ];
  return `<header><div class="top"><h1>${htmlText(reference)}</h1><span class="themes"><button type="button" id="theme">Light / dark</button></span></div>
<p class="about">${htmlText(about.join(" · "))}</p>
<p class="about"><code>${htmlText(index.manifestDigest)}</code>${source.endsWith(reference) ? "" : ` from ${htmlText(source)}`}</p></header>`;
}

function summaryOf(image: MatchedImage, { shown }: ImageFindings): string {
  if (shown.length > 0) return reportParts.summary({ ...reportCounts(shown), total: shown.length });
  const text = isWhollyAssessed(image) ? "No findings." : "No findings in what could be assessed.";
  return `<p class="summary">${text}</p>`;
}

function coverageOf(image: MatchedImage, stamp: FindingsStamp): string {
  const gaps = coverageSentences(image, stamp.createdAt);
  if (gaps.length === 0 && isWhollyAssessed(image)) {
    const meaning = "All layers and package databases were read, and there are advisories for all of them.";
    return reportParts.coverage({ title: "Everything was assessed.", meaning, gaps });
  }
  const meaning = "There may be more findings than those listed below.";
  const known = gaps.length === 0 ? ["Not all packages were assessed."] : gaps;
  return reportParts.coverage({ title: "Not everything was assessed.", meaning, gaps: known });
}

function findingsOf({ shown }: ImageFindings): string {
  if (shown.length === 0) return '<p class="empty">There is nothing to list.</p>';
  return `${reportParts.filters(reportCounts(shown))}
<div class="table" tabindex="0" role="group" aria-label="Findings"><table id="findings">${reportParts.findingHead()}
${shown.map((finding) => reportParts.findingRows(reportFinding(finding))).join("\n")}
</table></div>
<p class="empty" id="nothing" hidden>No finding matches.</p>`;
}

function suppressedOf(image: MatchedImage): string {
  const rows = listSuppressed(image).map(({ component, vulnerability, statement }) => {
    const { status, justification = "", detail = "", author = "", place } = statement;
    const why = [justification, detail].filter(Boolean).join(": ");
    return [vulnerability.name, `${component.package.name} ${component.package.version}`, status, why, author, place];
  });
  if (rows.length === 0) return "";
  const titles = ["Vulnerability", "Package", "Status", "Why", "Author", "Statement"];
  return `<h2>Suppressed by statements</h2><details><summary>${countOf(rows.length, "finding")}</summary>${plainTable(titles, rows)}</details>`;
}

function undecidedOf(image: MatchedImage): string {
  const parts = [unjudgedPackages(image), undecidedPairs(image)].filter(Boolean);
  return parts.length === 0 ? "" : `<h2>Undecided</h2>${parts.join("\n")}`;
}

function unjudgedPackages({ vulnerabilities: { coverage, packages } }: MatchedImage): string {
  const rows = (coverage.undecided ?? []).flatMap(({ fact, packageIds }) =>
    packageIds.map((id) => [`${packages[id]?.name ?? ""} ${packages[id]?.version ?? ""}`, fact]),
  );
  if (rows.length === 0) return "";
  return `<details><summary>${countOf(rows.length, "package")} that cannot be judged, because a fact is not known</summary>${plainTable(["Package", "Not known"], rows)}</details>`;
}

function undecidedPairs({ vulnerabilities: { undecided, packages } }: MatchedImage): string {
  if (undecided.length === 0) return "";
  const rows = undecided.map(({ packageId, name, reason }) => {
    const { name: of = "", version = "" } = packages[packageId] ?? {};
    return [name, `${of} ${version}`, reason];
  });
  return `<details><summary>${countOf(rows.length, "pair")} of a package and a vulnerability: it is unknown whether ${rows.length === 1 ? "it applies" : "they apply"}</summary>${plainTable(["Vulnerability", "Package", "Reason"], rows)}</details>`;
}

function dataOf({ vulnerabilities: { feeds, coverage } }: MatchedImage): string {
  const feedRows = feeds.map(({ ecosystem, covered, checkedAt, outdated }) => {
    const age = checkedAt === undefined ? "" : new Date(checkedAt).toISOString().slice(0, 16).replace("T", " ");
    return [ecosystem, covered ? (outdated === true ? "too old" : "yes") : "no", age];
  });
  const layerRows = coverage.layers.map(({ digest, status }) => [digest, status]);
  const databaseRows = coverage.databases.map(({ path, packages }) => [path, String(packages)]);
  return `<h2>Data of this report</h2>
${plainTable(["Packages of", "Advisories", "As of"], feedRows)}
<details><summary>${countOf(coverage.layers.length, "layer")}, ${countOf(coverage.databases.length, "package database")}</summary>${plainTable(["Layer", "Status"], layerRows)}${plainTable(["Database", "Packages"], databaseRows)}</details>`;
}

/** A table of texts. If it is wider than the page, it scrolls on its own, also with the keyboard. */
function plainTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = titles.map((title) => `<th scope="col">${htmlText(title)}</th>`).join("");
  const body = rows.map((row) => `<tr>${row.map((text) => `<td>${htmlText(text)}</td>`).join("")}</tr>`).join("\n");
  const table = `<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`;
  return `<div class="table" tabindex="0" role="group" aria-label="${htmlText(titles.join(", "))}">${table}</div>`;
}

/**
 * The script of an HTML report: search, sorting, filters, keyboard shortcuts and the switch between light and dark. The page has all its
 * content without it. It reads only attributes of the page, writes no markup and makes no requests.
 */
const pageScript = `
"use strict";
(() => {
  const root = document.documentElement;
  const byId = (id) => document.getElementById(id);
  const table = byId("findings");
  document.body.classList.remove("scriptless");
  const dark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  byId("theme").addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; });
  if (!table) return;
  const rows = [...table.tBodies].filter((body) => body.className === "finding");
  const search = byId("search");
  const status = byId("status");
  const chips = [...document.querySelectorAll("[data-param]")];
  const isOn = (chip) => chip.getAttribute("aria-pressed") === "true";
  const press = (chip, on) => chip.setAttribute("aria-pressed", String(on));
  const texts = new Map(rows.map((row) => [row, row.dataset.text.toLowerCase()]));
  const filter = () => {
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const needed = chips.filter(isOn).map((chip) => chip.dataset);
    let shown = 0;
    for (const row of rows) {
      const text = texts.get(row);
      const fits = needed.every(({ param, value }) => row.dataset[param] === value) && words.every((word) => text.includes(word));
      row.hidden = !fits;
      if (fits) shown += 1;
    }
    status.textContent = (shown === rows.length ? "" : shown + " of ") + rows.length + (rows.length === 1 ? " finding" : " findings");
    byId("nothing").hidden = shown > 0;
  };
  search.addEventListener("input", filter);
  for (const chip of chips)
    chip.addEventListener("click", () => {
      const on = !isOn(chip);
      for (const other of chips) if (other.dataset.param === chip.dataset.param) press(other, other === chip && on);
      filter();
    });
  byId("reset").addEventListener("click", () => {
    search.value = "";
    for (const chip of chips) press(chip, false);
    for (const head of table.tHead.rows[0].cells) head.removeAttribute("aria-sort");
    table.append(...rows);
    filter();
  });
  const compare = new Intl.Collator(undefined, { numeric: true }).compare;
  for (const button of table.tHead.querySelectorAll("button")) {
    button.addEventListener("click", () => {
      const head = button.closest("th");
      const isNumber = button.dataset.kind === "number";
      const before = head.getAttribute("aria-sort");
      const isUp = before === null ? !isNumber : before === "descending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", isUp ? "ascending" : "descending");
      const of = (row) => row.dataset[button.dataset.key] ?? "";
      const order = isNumber ? (a, b) => Number(of(a) || -1) - Number(of(b) || -1) : (a, b) => compare(of(a), of(b));
      table.append(...rows.toSorted((a, b) => (isUp ? order(a, b) : order(b, a))));
    });
  }
  const step = (by) => {
    const places = rows.filter((row) => row.parentNode && !row.hidden).sort((a, b) => (a.compareDocumentPosition(b) & 4 ? -1 : 1)).map((row) => row.querySelector("summary"));
    const at = places.indexOf(document.activeElement);
    places[Math.max(0, Math.min(places.length - 1, at + by))]?.focus();
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && event.target === search) { search.value = ""; filter(); search.blur(); }
    if (event.target.closest("input")) return;
    if (event.key === "/") { event.preventDefault(); search.focus(); }
    if (event.key === "j") step(1);
    if (event.key === "k") step(-1);
  });
  filter();
})();
`;
