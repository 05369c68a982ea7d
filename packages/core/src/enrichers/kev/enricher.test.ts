import { testAdvisory } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { feedReaderOf } from "../../feeds/shared/fixtures/feed-reader-of.ts";
import { itemsOf } from "../../feeds/shared/fixtures/items-of.ts";
import { kevEnricher } from "./enricher.ts";

const entry = {
  cveID: "CVE-2025-48384",
  vendorProject: "Git",
  product: "Git",
  vulnerabilityName: "Git Link Following Vulnerability",
  dateAdded: "2025-08-25",
  shortDescription: "Git follows links.",
  requiredAction: "Apply mitigations.",
  dueDate: "2025-09-15",
  knownRansomwareCampaignUse: "Unknown",
  notes: "",
  cwes: ["CWE-59"],
};

const record = {
  cve: "CVE-2025-48384",
  catalog_version: "2025.08.25",
  vulnerability_name: "Git Link Following Vulnerability",
  date_added: "2025-08-25",
  short_description: "Git follows links.",
  required_action: "Apply mitigations.",
  due_date: "2025-09-15",
  known_ransomware_campaign_use: "Unknown",
};

function catalogOf(vulnerabilities: readonly unknown[], count = vulnerabilities.length): string {
  return JSON.stringify({ title: "KEV", catalogVersion: "2025.08.25", count, vulnerabilities });
}

const read = (document: string) => itemsOf(kevEnricher.updater, feedReaderOf({ "": document }));

describe("kevEnricher", () => {
  it("keeps an entry under its CVE id, with the members that clients know", async () => {
    expect(await read(catalogOf([entry]))).toEqual([{ kind: "item", item: { tags: ["CVE-2025-48384"], record } }]);
  });

  it("leaves out malformed entries and keeps the others", async () => {
    const poisoned = [{ ...entry, cveID: 7 }, { ...entry, cveID: "none" }, { ...entry, dueDate: {} }, "x"];

    expect(await read(catalogOf([...poisoned, entry]))).toMatchObject([
      { kind: "problem", message: "memory: vulnerabilities[0].cveID: expected a string, found 7" },
      { kind: "problem", message: 'memory: vulnerabilities[1].cveID: expected a CVE id, found "none"' },
      { kind: "problem", message: "memory: vulnerabilities[2].dueDate: expected a string, found an object" },
      { kind: "problem", message: 'memory: vulnerabilities[3]: expected an object, found "x"' },
      { kind: "item", item: { tags: ["CVE-2025-48384"] } },
    ]);
  });

  it.each([
    ["a page", "<!doctype html><html></html>", "expected JSON"],
    ["a truncated catalog", catalogOf([entry]).slice(0, -20), "expected JSON"],
    ["a catalog without some of its entries", catalogOf([entry], 2), "expected 2 vulnerabilities, as it says, found 1"],
    ["another document", "{}", "catalogVersion: expected a string"],
    ["nothing", "", "found no bytes"],
  ])("refuses %s", async (_, document, message) => {
    const refused = { code: "malformed_feed", message: expect.stringContaining(message) };

    await expect(read(document)).rejects.toMatchObject(refused);
  });

  it("reads the newest catalog of a folder", async () => {
    const documents = { "kev-2024.json": catalogOf([]), "kev-2025.json": catalogOf([entry]), "notes.txt": "x" };

    expect(await itemsOf(kevEnricher.updater, feedReaderOf(documents, { layout: "folder" }))).toHaveLength(1);
  });

  it("is unchanged as long as the catalog is", async () => {
    const first = await kevEnricher.updater.update(feedReaderOf({ "": catalogOf([]) }));
    const fingerprint = first.kind === "snapshot" ? first.fingerprint : undefined;
    const again = (document: string) => kevEnricher.updater.update(feedReaderOf({ "": document }), fingerprint);

    expect(await again(catalogOf([]))).toEqual({ kind: "unchanged" });
    expect(await again(catalogOf([entry]))).toMatchObject({ kind: "snapshot" });
  });

  it("adds all records of the vulnerabilities of an advisory", () => {
    const found = [{ tags: ["CVE-2025-48384"], record }];

    expect(kevEnricher.enrich(testAdvisory({ id: "a" }), found)).toEqual([record]);
  });
});
