import { describe, expect, it } from "vitest";
import { cpeMatcher } from "../../ecosystems/cpe/matcher.ts";
import { sampleDistribution, samplePackage } from "../../match/fixtures/samples.ts";
import type { Advisory } from "../../model/advisory.ts";
import { distributionPackageKey, languageKey, type PackageRepository } from "../../model/package.ts";
import type { IndexRecord } from "../../plugins/matcher.ts";
import { nvdDocument, yearlyFiles } from "../nvd/fixtures/nvd-documents.ts";
import { feedReaderOf } from "../shared/fixtures/feed-reader-of.ts";
import { collect, itemsOf, withoutRecords } from "../shared/fixtures/items-of.ts";
import { nvdCpeUpdater } from "./updater.ts";

const any = ":*".repeat(6);

/** A criterion for `vendor:product[:version[:update]]`, or for a whole name. */
const match = (
  name: string,
  { bounds = {}, vulnerable = true }: { readonly bounds?: object; readonly vulnerable?: boolean } = {},
) => {
  const [part = "", ...rest] = name.includes("/") ? name.split("/") : ["a", name];
  const names = rest.join("/").split(":");
  const padded = [...names, ...Array<string>(10 - names.length).fill("*")];
  return { vulnerable, criteria: `cpe:2.3:${part}:${padded.join(":")}`, ...bounds };
};
const node = (...cpeMatch: object[]) => ({ operator: "OR", negate: false, cpeMatch });
const either = (...cpeMatch: object[]) => ({ nodes: [node(...cpeMatch)] });
const both = (...nodes: object[]) => ({ operator: "AND", nodes });

const cveOf = (configurations: readonly object[], more: object = {}) => ({
  cve: { id: "CVE-2024-0001", vulnStatus: "Analyzed", metrics: {}, configurations, ...more },
});

async function advisoriesOf(...records: readonly object[]): Promise<readonly Advisory[]> {
  const items = await itemsOf(nvdCpeUpdater, feedReaderOf({ "": nvdDocument(records) }));
  return items.flatMap((item) => (item.kind === "item" ? [item.item] : []));
}

const generic: readonly PackageRepository[] = [{ id: "1", name: "generic", key: languageKey }];

function recordOf(name: string, version: string, repositories = generic): IndexRecord {
  const quoted = /^(\d+\.\d+)(p\d+)$/.test(version) ? version.replace("p", ":p") : version;
  const cpe = `cpe:2.3:a:${name}:${quoted}`;
  return { package: { ...samplePackage(`x ${version}`), cpe }, packageDb: "x", repositories };
}

/** What is said of an installed product: by every advisory that its keys lead to. */
async function verdictsOn(record: IndexRecord, configurations: readonly object[]): Promise<readonly string[]> {
  const advisories = await advisoriesOf(cveOf(configurations));
  if (!cpeMatcher.accepts(record)) return ["not looked up"];
  const names = new Set(cpeMatcher.keys(record).map(({ name }) => name));
  return advisories
    .filter(({ packageName }) => names.has(packageName))
    .map((advisory) => {
      const verdict = cpeMatcher.judge(record, advisory);
      return verdict.kind === "affected" ? `affected ${verdict.fixedInVersion ?? ""}`.trim() : verdict.reason;
    });
}

const linux = node(match("o/linux:linux_kernel:-", { bounds: {}, vulnerable: false }));
const windows = node(match("o/microsoft:windows:-", { bounds: {}, vulnerable: false }));
const openssl = { versionStartIncluding: "1.1.1", versionEndExcluding: "1.1.1n" };

describe("nvdCpeUpdater and cpeMatcher", () => {
  it.each<[what: string, name: string, version: string, configuration: object, verdicts: readonly string[]]>([
    [
      "in a range",
      "openssl:openssl",
      "1.1.1m",
      either(match("openssl:openssl", { bounds: openssl })),
      ["affected 1.1.1n"],
    ],
    ["with the fix", "openssl:openssl", "1.1.1n", either(match("openssl:openssl", { bounds: openssl })), ["fixed"]],
    ["below it", "openssl:openssl", "1.1.0l", either(match("openssl:openssl", { bounds: openssl })), ["outside-range"]],
    [
      "the last of a range",
      "gnu:bash",
      "5.2",
      either(match("gnu:bash", { bounds: { versionEndIncluding: "5.2" } })),
      ["affected"],
    ],
    [
      "behind it",
      "gnu:bash",
      "5.2.1",
      either(match("gnu:bash", { bounds: { versionEndIncluding: "5.2" } })),
      ["outside-range"],
    ],
    [
      "above an open end",
      "gnu:bash",
      "5.1",
      either(match("gnu:bash", { bounds: { versionStartExcluding: "5.1" } })),
      ["outside-range"],
    ],
    [
      "just above it",
      "gnu:bash",
      "5.1.1",
      either(match("gnu:bash", { bounds: { versionStartExcluding: "5.1" } })),
      ["affected"],
    ],
    ["every version", "gnu:bash", "5.1", either(match("gnu:bash")), ["affected"]],
    ["no version", "gnu:bash", "5.1", either(match("gnu:bash:-")), []],
    [
      "a listed version",
      "zlib:zlib",
      "1.2.11",
      either(match("zlib:zlib:1.2.10"), match("zlib:zlib:1.2.11")),
      ["affected"],
    ],
    ["another version", "zlib:zlib", "1.2.12", either(match("zlib:zlib:1.2.11")), ["outside-range"]],
    ["a prerelease", "openssl:openssl", "3.0.0", either(match("openssl:openssl:3.0.0:alpha1")), ["outside-range"]],
    [
      "the prerelease itself",
      "openssl:openssl",
      "3.0.0-alpha1",
      either(match("openssl:openssl:3.0.0:alpha1")),
      ["affected"],
    ],
    ["an update of a version", "openbsd:openssh", "9.2p1", either(match("openbsd:openssh:9.2")), ["affected"]],
    ["its own update", "openbsd:openssh", "9.2p1", either(match("openbsd:openssh:9.2:p1")), ["affected"]],
    ["another update", "openbsd:openssh", "9.2p1", either(match("openbsd:openssh:9.2:p2")), ["outside-range"]],
    [
      "the release and no update",
      "openbsd:openssh",
      "9.2p1",
      either(match("openbsd:openssh:9.2:-")),
      ["outside-range"],
    ],
    ["wildcards", "sqlite:sqlite", "3.40.1", either(match("sqlite:sqlite:3.40.*")), ["affected"]],
    ["other wildcards", "sqlite:sqlite", "3.41.1", either(match("sqlite:sqlite:3.40.?")), ["other-product"]],
    ["an older name", "zlib:zlib", "1.2.2", either(match("gnu:zlib:1.2.2")), ["affected"]],
    [
      "an edition",
      "traefik:traefik",
      "3.0.4",
      either(match("traefik:traefik:*:*:*:*:enterprise")),
      ["product-unknown"],
    ],
    [
      "another system",
      "gnu:wget",
      "1",
      either(match("gnu:wget:*:*:*:*:*:windows", { bounds: { versionEndExcluding: "2" } })),
      [],
    ],
    [
      "a platform, fixed",
      "gnu:wget",
      "2",
      either(match("gnu:wget:*:*:*:*:*:openwrt", { bounds: { versionEndExcluding: "2" } })),
      ["fixed"],
    ],
    ["another product", "gnu:bash", "5.1", either(match("gnu:tar")), []],
    ["a product that is not listed", "example:thing", "1", either(match("example:thing")), ["not looked up"]],
    ["on Linux", "gnu:bash", "5.1", both(node(match("gnu:bash")), linux), ["affected"]],
    ["on Windows", "gnu:bash", "5.1", both(node(match("gnu:bash")), windows), []],
    [
      "on an appliance",
      "gnu:bash",
      "5.1",
      both(node(match("gnu:bash")), node(match("h/acme:router"))),
      ["vendor-undetermined"],
    ],
    [
      "on either",
      "gnu:bash",
      "5.1",
      both(node(match("gnu:bash")), node(...windows.cpeMatch, ...linux.cpeMatch)),
      ["affected"],
    ],
    [
      "with another program",
      "gnu:bash",
      "5.1",
      both(node(match("gnu:bash")), node(match("gnu:tar"))),
      ["vendor-undetermined"],
    ],
    [
      "on anything but Linux",
      "gnu:bash",
      "5.1",
      both(node(match("gnu:bash")), { ...linux, negate: true }),
      ["vendor-undetermined"],
    ],
    [
      "all of a node",
      "gnu:bash",
      "5.1",
      { nodes: [{ operator: "AND", cpeMatch: [match("gnu:bash"), match("gnu:tar")] }] },
      ["vendor-undetermined"],
    ],
    [
      "what is not vulnerable itself",
      "gnu:bash",
      "5.1",
      either(match("gnu:bash", { bounds: {}, vulnerable: false })),
      [],
    ],
    ["an operating system of that name", "gnu:bash", "5.1", either(match("o/gnu:bash")), []],
  ])("%s", async (_, name, version, configuration, verdicts) => {
    expect(await verdictsOn(recordOf(name, version), [configuration])).toEqual(verdicts);
  });

  const distribution = sampleDistribution("debian 12");
  const owned = [...generic, { id: "2", name: "bash", key: distributionPackageKey }];
  const npm = [{ id: "1", name: "npm", key: languageKey }];
  it.each<[what: string, record: IndexRecord, isLookedUp: boolean]>([
    ["a program", recordOf("gnu:bash", "5.1"), true],
    ["a program in a distribution", { ...recordOf("gnu:bash", "5.1"), distribution }, true],
    ["a component of a bill of materials", recordOf("gnu:bash", "5.1", []), true],
    ["a program of a package of the distribution", recordOf("gnu:bash", "5.1", owned), false],
    ["a package of a language", recordOf("gnu:bash", "5.1", npm), false],
    ["a package of a distribution", { ...recordOf("gnu:bash", "5.1", []), distribution }, false],
    ["a package without a CPE name", { ...recordOf("gnu:bash", "5.1"), package: samplePackage("bash 5.1") }, false],
    [
      "one whose name cannot be read",
      { ...recordOf("gnu:bash", "5.1"), package: { ...samplePackage("bash 5.1"), cpe: "bash" } },
      false,
    ],
  ])("looks up %s: %s", (_, record, isLookedUp) => {
    expect(cpeMatcher.accepts(record)).toBe(isLookedUp);
  });

  it("reads severity, text, links and day", async () => {
    const vectorString = "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H";
    const metric = { source: "nvd@nist.gov", type: "Primary", cvssData: { vectorString, baseScore: 7.5 } };
    const record = cveOf([either(match("gnu:bash"))], {
      metrics: { cvssMetricV31: [metric] },
      descriptions: [
        { lang: "es", value: "Malo." },
        { lang: "en", value: "Bad." },
      ],
      references: [{ url: "https://bash.example/1" }, { url: "javascript:1" }],
      published: "2024-01-02T03:04:05.000",
    });

    expect(await advisoriesOf(record)).toEqual([
      {
        id: `nvd-cpe/CVE-2024-0001/gnu:bash:*:*${any}`,
        updater: "nvd-cpe",
        name: "CVE-2024-0001",
        aliases: [],
        description: "Bad.",
        links: ["https://nvd.nist.gov/vuln/detail/CVE-2024-0001", "https://bash.example/1"],
        issuedAt: Date.UTC(2024, 0, 2, 3, 4, 5),
        ecosystem: "cpe",
        packageName: "gnu:bash",
        packageKind: "BINARY",
        cpes: [`cpe:2.3:a:gnu:bash:*:*${any}`],
        status: "affected",
        ranges: [{}],
        versions: [],
        severity: vectorString,
        normalizedSeverity: "High",
      },
    ]);
  });

  it("leaves out what was rejected and other products", async () => {
    const rejected = cveOf([either(match("gnu:bash"))], { vulnStatus: "Rejected" });

    expect(await advisoriesOf(rejected, cveOf([either(match("example:thing"))]), cveOf([]))).toEqual([]);
  });

  it("loses one bad criterion and keeps the others", async () => {
    const bad = [{ vulnerable: true, criteria: "bash" }, { vulnerable: true }, match("gnu:bash")];
    const items = await itemsOf(nvdCpeUpdater, feedReaderOf({ "": nvdDocument([cveOf([either(...bad)])]) }));

    expect(items.map(({ kind }) => kind).sort()).toEqual(["item", "problem", "problem"]);
  });

  it("reads only the years that changed", async () => {
    const startedAt = Date.UTC(2004, 5, 1);
    const documents = {
      2002: nvdDocument([cveOf([either(match("gnu:bash"))])]),
      2003: nvdDocument([]),
      2004: nvdDocument([]),
    };
    const first = await nvdCpeUpdater.update(feedReaderOf(yearlyFiles(documents), { startedAt }));
    const later = {
      ...documents,
      2003: nvdDocument([cveOf([]), cveOf([either(match("gnu:tar"))], { id: "CVE-2003-0001" })]),
    };
    const fingerprint = first.kind === "snapshot" ? first.fingerprint : "";

    const update = await nvdCpeUpdater.update(feedReaderOf(yearlyFiles(later), { startedAt }), fingerprint);

    if (update.kind !== "delta") throw new Error("expected a delta");
    const changes = withoutRecords(await collect(update.changes));
    expect(changes.map((each) => each.kind === "item" && [each.item.record, each.item.items.length])).toEqual([
      ["CVE-2024-0001", 0],
      ["CVE-2003-0001", 1],
    ]);
  });
});
