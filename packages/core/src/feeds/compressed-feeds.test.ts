/** Feeds by files that are compressed: the bytes tell, and names mean what they mean without what says how. */
import { gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { allEnrichers } from "../enrichers/all.ts";
import type { Updater } from "../plugins/updater.ts";
import { allUpdaters } from "./all.ts";
import { feedReaderOf } from "./shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "./shared/fixtures/items-of.ts";

const fixed = [{ type: "ECOSYSTEM", events: [{ introduced: "0" }, { fixed: "2" }] }];
const affected = [{ package: { ecosystem: "npm", name: "a" }, ranges: fixed }];
const osv = { id: "GHSA-aaaa-aaaa-aaaa", modified: "2024-01-01T00:00:00Z", affected };
const group = { name: "AVG-2", packages: ["a"], status: "Fixed", severity: "High", affected: "1-1", fixed: "2-1" };
const exploited = { cveID: "CVE-2024-0001", vulnerabilityName: "A", dateAdded: "2024-01-01", shortDescription: "" };
const dated = { ...exploited, requiredAction: "", dueDate: "2024-02-01", knownRansomwareCampaignUse: "Unknown" };
const photon = { cve_id: "CVE-2015-8863", pkg: "jq", cve_score: 9.8, aff_ver: "all", res_ver: "1.5-3.ph2" };

/** A document of each form that feeds have, by the name that it has in a folder. */
const documents: Readonly<Record<string, readonly [name: string, content: unknown]>> = {
  debian: ["tracker.json", { curl: { "CVE-2024-1": { releases: { bookworm: { status: "open" } } } } }],
  alpine: [
    "v3.20/main.json",
    { distroversion: "v3.20", packages: [{ pkg: { name: "a", secfixes: { "1": ["CVE-2024-1"] } } }] },
  ],
  osv: ["GHSA-aaaa-aaaa-aaaa.json", osv],
  arch: ["all.json", [{ ...group, type: "x", issues: ["CVE-2024-1"], advisories: [] }]],
  "photon-cve": ["cve_data_photon2.0.json", [photon]],
  kev: ["kev.json", { title: "KEV", catalogVersion: "1", count: 1, vulnerabilities: [dated] }],
  epss: ["epss.csv", "#model_version:v1,score_date:2024-01-01\ncve,epss,percentile\nCVE-2024-0001,0.1,0.2\n"],
  "redhat-repositories": ["repository-to-cpe.json", { data: { a: { cpes: ["cpe:/a:redhat:openshift:4.12::el8"] } } }],
};
const updaters = [...allUpdaters, ...allEnrichers.map(({ updater }) => updater)];

describe.each(Object.entries(documents))("%s", (updater, [name, content]) => {
  const found = updaters.find((each) => each.name === updater);
  if (found === undefined) throw new Error(`no updater is called ${updater}`);
  const bytes = Buffer.from(typeof content === "string" ? content : JSON.stringify(content));
  const read = (file: string, stored: Uint8Array) =>
    itemsOf<unknown>(found, feedReaderOf({ [file]: stored }, { layout: "folder" }));

  it.each([
    [".gz", gzipSync],
    [".zst", zstdCompressSync],
  ])("reads a document of a folder that is compressed as %s", async (suffix, compress) => {
    const plain = await read(name, bytes);

    expect(plain.map(({ kind }) => kind)).toEqual(["item"]);
    expect(await read(`${name}${suffix}`, compress(bytes))).toEqual(plain);
  });

  it("reads the location itself where it is compressed", async () => {
    expect(await read("", zstdCompressSync(bytes))).toEqual(await read("", bytes));
  });
});

describe("a document that other programs compressed", () => {
  const plain = '{"curl":{"CVE-2024-1":{"releases":{"bookworm":{"status":"open"}}}}}';
  const stored = {
    xz: "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4ABCADxdAD2IiGeUC5otWc0PiJyHSCAp3wFxJprHmB0/0qgsoe4vZ78TTFCI0hEoxSmcz/3Vz317d6bv4ac7QYv0AADFEDnZUI7EHQABWENdcjG9H7bzfQEAAAAABFla",
    bz2: "QlpoOTFBWSZTWWnkKpQAAB5fgCAAEAJ0EAoAAQA6D96KIABIiZEeoG1PU0Gn6p6hEAAAANIvY15iWxl3XdqkyMUnfoUJwLCamaXWJpCHgKZG9AdgJQEjPi7kinChINPIVSg=",
  };
  const [debian] = allUpdaters;
  const [alpine] = allUpdaters.filter(({ name }) => name === "alpine");

  it.each(Object.entries(stored))("is read where it is %s", async (suffix, text) => {
    const bytes = Buffer.from(text, "base64");
    const read = (files: Record<string, string | Uint8Array>, layout: "folder" | "site") =>
      itemsOf(debian as Updater, feedReaderOf(files, { layout }));
    const expected = await read({ "": plain }, "site");

    expect(expected).toMatchObject([{ kind: "item", item: { name: "CVE-2024-1" } }]);
    expect(await read({ "": bytes }, "site")).toEqual(expected);
    expect(await read({ [`tracker.json.${suffix}`]: bytes }, "folder")).toMatchObject([{ kind: "item" }]);
  });

  it("is distinguished from a web page by its content", async () => {
    const blanks =
      "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4AvCACFdAD2IiGeUC5otWPfLf3/lZ3jHEF7qyFJZOR9PpGrKeiXYqgAAAADIs4D6XgHwiAABPcMXAAAAgz3KGLHEZ/sCAAAAAARZWg==";
    const feeds = feedReaderOf({ "": Buffer.from(blanks, "base64") });

    await expect(itemsOf(alpine as Updater, feeds)).rejects.toMatchObject({
      message: "memory: packages: expected an array, found nothing",
    });
  });
});
