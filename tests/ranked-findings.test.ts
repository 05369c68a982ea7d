/** Severities, exploits and their probabilities of other feeds than the distribution's: in the command's outputs, its gate and the service's reports. */
import { join } from "node:path";
import { cvssType, epssType, kevType, ratingsType } from "@plimsoll/core/internal";
import { buildImage, buildLayer } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exchange } from "./support/exchange.ts";
import { runPlimsoll } from "./support/run-plimsoll.ts";
import { debianImage, debianTracker, ociArchive } from "./support/sample-image.ts";
import { startTestService } from "./support/scanner-service.ts";
import { tempFolder } from "./support/temp-folder.ts";

const folder = tempFolder();
afterAll(() => folder[Symbol.dispose]());

const critical = "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H";
const medium = "CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:N/I:N/A:H";

const scoreOf = (
  source: string,
  type: string,
  { vectorString, baseScore }: { readonly vectorString: string; readonly baseScore: number },
) => {
  return { source, type, cvssData: { version: "3.1", vectorString, baseScore } };
};
const scored = (id: string, ...cvssMetricV31: readonly object[]) => ({
  cve: { id, vulnStatus: "x", metrics: { cvssMetricV31 } },
});

const locations = {
  alpine: folder.write(
    "secdb.json",
    JSON.stringify({
      distroversion: "v3.20",
      reponame: "main",
      packages: [
        {
          pkg: {
            name: "xen",
            secfixes: { "5-r0": ["CVE-2024-0001", "CVE-2024-0002", "CVE-2024-0003", "CVE-2024-0004"] },
          },
        },
      ],
    }),
  ),
  debian: folder.write(
    "tracker.json",
    debianTracker({ openssl: { "CVE-2024-0001": {}, "CVE-2024-0002": { urgency: "low", fixed: "4" } } }),
  ),
  nvd: folder.write(
    "nvd.json",
    JSON.stringify({
      vulnerabilities: [
        scored(
          "CVE-2024-0001",
          scoreOf("cna@vendor.example", "Secondary", { vectorString: medium, baseScore: 5.5 }),
          scoreOf("nvd@nist.gov", "Primary", { vectorString: critical, baseScore: 9.8 }),
        ),
        scored("CVE-2024-0002", scoreOf("cna@vendor.example", "Secondary", { vectorString: medium, baseScore: 5.5 })),
        scored("CVE-2024-0003", scoreOf("nvd@nist.gov", "Primary", { vectorString: medium, baseScore: 5.5 })),
      ],
    }),
  ),
  epss: folder.write(
    "epss.csv",
    "#model_version:v1,score_date:2026-11-20T00:00:00+0000\ncve,epss,percentile\nCVE-2024-0001,0.0004,0.1\nCVE-2024-0003,0.345,0.97\n",
  ),
  kev: folder.write(
    "kev.json",
    JSON.stringify({
      catalogVersion: "1",
      count: 1,
      vulnerabilities: [{ cveID: "CVE-2024-0002", dueDate: "2024-05-01" }],
    }),
  ),
};
const feeds = Object.entries(locations).flatMap(([name, path]) => ["--feed", `${name}=${path}`]);
const db = ["--db", join(folder.path, "ranked.db")];

const debianBuilt = await debianImage(["libssl3 3.0 openssl"]);
const debian = folder.write("debian.tar", await ociArchive(debianBuilt));
const alpineLayer = await buildLayer({
  "etc/os-release": 'ID=alpine\nVERSION_ID=3.20.3\nPRETTY_NAME="Alpine Linux v3.20"\n',
  "lib/apk/db/installed": "P:xen-libs\nV:4-r0\nA:x86_64\no:xen\n\n",
});
const alpine = folder.write("alpine.tar", await ociArchive(buildImage({ layers: [alpineLayer] })));

async function findings(image: string): Promise<Record<string, unknown>[]> {
  const { stdout } = await runPlimsoll(["scan", image, ...db, "-o", "ndjson"]);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ kind }) => kind === "finding");
}

beforeAll(async () => {
  const { code, stderr } = await runPlimsoll(["db", "update", ...db, ...feeds]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

describe("plimsoll scan with facts about vulnerabilities", () => {
  it("ranks by what is exploited, then the probability of an exploit, then severity", async () => {
    const { stdout } = await runPlimsoll(["scan", alpine, ...db]);

    const table = stdout.split("\n").filter((line) => /^(?:CVE|VULN)/.test(line));
    expect(table.map((line) => line.split(/ {2,}/))).toEqual([
      ["VULNERABILITY", "PACKAGE", "INSTALLED", "FIXED IN", "SEVERITY", "EPSS", "EXPLOITED"],
      ["CVE-2024-0002", "xen-libs", "4-r0", "5-r0", "Medium", "yes"],
      ["CVE-2024-0003", "xen-libs", "4-r0", "5-r0", "Medium", "34.5%"],
      ["CVE-2024-0001", "xen-libs", "4-r0", "5-r0", "Critical", "<0.1%"],
      ["CVE-2024-0004", "xen-libs", "4-r0", "5-r0", "Unknown"],
    ]);
    expect(stdout).toContain("4 findings (1 Critical, 2 Medium, 1 Unknown); 1 known to be exploited");
    expect(stdout).toContain("severities: 2 by nvd@nist.gov, 1 by cna@vendor.example");
  });

  it("says in each line what a finding is ranked by", async () => {
    expect(await findings(alpine)).toMatchObject([
      { severity: "Medium", severity_source: "cna@vendor.example", cvss: 5.5, known_exploited: true },
      { severity: "Medium", severity_source: "nvd@nist.gov", epss: { probability: 0.345, percentile: 0.97 } },
      { severity: "Critical", severity_source: "nvd@nist.gov", cvss: 9.8 },
      { severity: "Unknown", severity_source: "alpine" },
    ]);
  });

  it("shows the distribution's severity where it has one", async () => {
    expect(await findings(debian)).toMatchObject([
      { vulnerability: "CVE-2024-0002", severity: "Low", severity_source: "debian", cvss: 5.5 },
      { vulnerability: "CVE-2024-0001", severity: "Critical", severity_source: "nvd@nist.gov" },
    ]);
  });

  it.each([
    ["high+", alpine, 1],
    ["high+", debian, 1],
    ["critical", alpine, 1],
    ["high", alpine, 1],
    ["high,low", alpine, 0],
    ["exploited", alpine, 1],
    ["epss>0.3", alpine, 1],
    ["epss>0.5", alpine, 0],
    ["epss>0.5,critical", alpine, 1],
  ])("judges by --fail-on %s what distributions give no severity", async (filter, image, code) => {
    expect((await runPlimsoll(["scan", image, ...db, "--fail-on", filter])).code).toBe(code);
  });

  it("writes the facts under the keys that clients know, and all severities under its own", async () => {
    const { stdout } = await runPlimsoll(["scan", alpine, ...db, "-o", "json"]);
    const { enrichments, vulnerabilities } = JSON.parse(stdout);

    const names = Object.values<{ name: string }>(vulnerabilities).map(({ name }) => name);
    expect(names).toEqual(["CVE-2024-0001", "CVE-2024-0002", "CVE-2024-0003", "CVE-2024-0004"]);
    expect(enrichments).toMatchObject({
      [cvssType]: [{ "1": [{ vectorString: critical, baseScore: 9.8, baseSeverity: "CRITICAL" }] }],
      [epssType]: [{ "3": [{ cve: "CVE-2024-0003", epss: 0.345, modelVersion: "v1" }] }],
      [kevType]: [{ "2": [{ cve: "CVE-2024-0002", due_date: "2024-05-01" }] }],
      [ratingsType]: [
        {
          "1": [
            { by: "nvd", source: "nvd@nist.gov", severity: "Critical", text: critical, score: 9.8 },
            { by: "cna", source: "cna@vendor.example", severity: "Medium", text: medium, score: 5.5 },
          ],
        },
      ],
    });
  });

  it.each([
    ["kev", "a page", "<!doctype html>"],
    ["epss", "a page", "<!doctype html>\n"],
    ["nvd", "cut off", '{"vulnerabilities":[{"cve":{"id":"CVE-2024-0001"'],
  ])("keeps what it had of %s where the feed is %s", async (name, _, content) => {
    const before = await findings(alpine);
    const damaged = folder.write(`damaged-${name}`, content);

    const { code, stderr } = await runPlimsoll(["db", "update", ...db, "--feed", `${name}=${damaged}`]);

    expect(code).toBe(3);
    expect(stderr).toMatch(new RegExp(`${name}: .*the data of its last good update are kept: \\d facts? of 20`));
    expect(await findings(alpine)).toEqual(before);
  });
});

describe("the service with facts about vulnerabilities", () => {
  it("keeps their feeds up to date and has them in its reports", async () => {
    const settings = { updatePeriodSeconds: 3600, feeds: locations, updaters: Object.keys(locations) };
    await using service = await startTestService(join(folder.path, "service.db"), settings);
    const submission = { method: "POST", body: service.manifestOf(debianBuilt) };
    await exchange(`${service.url}/indexer/api/v1/index_report`, submission);

    const report = async () => {
      const { text } = await exchange(`${service.url}/matcher/api/v1/vulnerability_report/${debianBuilt.digest}`);
      const { enrichments = {}, vulnerabilities = {} } = JSON.parse(text || "{}");
      const severities = Object.values<{ normalized_severity: string }>(vulnerabilities);
      return {
        types: Object.keys(enrichments).filter((type) => type !== ratingsType && type.includes("clair")),
        severities: severities.map((each) => each.normalized_severity),
      };
    };

    await expect.poll(report).toEqual({
      types: [cvssType, epssType, kevType],
      severities: ["Critical", "Low"],
    });
  });
});
