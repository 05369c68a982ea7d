import { describe, expect, it } from "vitest";
import { parseVex, readVexInSlices } from "./parse-vex.ts";

const parse = (json: unknown) => parseVex(new TextEncoder().encode(JSON.stringify(json)), "app.json");
const context = "https://openvex.dev/ns/v0.2.0";
const stated = Date.UTC(2026, 0, 2);

describe("parseVex", () => {
  it("reads OpenVEX", () => {
    const statements = parse({
      "@context": context,
      author: "A <a@example.com>",
      timestamp: "2026-01-01T00:00:00Z",
      statements: [
        {
          vulnerability: { name: "CVE-2024-1", aliases: ["GHSA-1"] },
          timestamp: "2026-01-02T00:00:00Z",
          products: [
            {
              "@id": "pkg:oci/app@sha256:aa",
              hashes: { "sha-256": "bb" },
              subcomponents: [{ "@id": "pkg:npm/a@1" }, "pkg:npm/b"],
            },
            { identifiers: { purl: "pkg:npm/c" } },
          ],
          status: "not_affected",
          justification: "vulnerable_code_not_present",
          impact_statement: "Not built in.",
        },
        { vulnerability: "CVE-2024-2", products: ["pkg:npm/a"], status: "under_investigation" },
      ],
    });

    expect(statements).toEqual([
      {
        vulnerability: ["CVE-2024-1", "GHSA-1"],
        status: "not_affected",
        products: [
          { image: "pkg:oci/app@sha256:aa", component: "pkg:npm/a@1" },
          { image: "pkg:oci/app@sha256:aa", component: "pkg:npm/b" },
          { image: "sha256:bb", component: "pkg:npm/a@1" },
          { image: "sha256:bb", component: "pkg:npm/b" },
          { image: "pkg:npm/c" },
        ],
        justification: "vulnerable_code_not_present",
        detail: "Not built in.",
        author: "A <a@example.com>",
        statedAt: stated,
        place: "app.json: statements[0]",
      },
      {
        vulnerability: ["CVE-2024-2"],
        status: "under_investigation",
        products: [{ image: "pkg:npm/a" }],
        author: "A <a@example.com>",
        statedAt: Date.UTC(2026, 0, 1),
        place: "app.json: statements[1]",
      },
    ]);
  });

  it("reads CycloneDX", () => {
    const statements = parse({
      bomFormat: "CycloneDX",
      metadata: { timestamp: "2026-01-02T00:00:00Z", component: { "bom-ref": "app", purl: "pkg:oci/app@sha256:aa" } },
      components: [{ "bom-ref": "1", purl: "pkg:npm/a@1", components: [{ "bom-ref": "2", purl: "pkg:npm/b@2" }] }],
      vulnerabilities: [
        {
          id: "CVE-2024-1",
          references: [{ id: "GHSA-1" }],
          analysis: { state: "not_affected", justification: "code_not_reachable", detail: "Never called." },
          affects: [
            { ref: "1" },
            { ref: "2" },
            { ref: "app" },
            { ref: "pkg:npm/c" },
            { ref: "urn:cdx:s/1#pkg%3Anpm/d" },
          ],
        },
        { id: "CVE-2024-2", analysis: { state: "resolved" } },
        { id: "CVE-2024-3", analysis: { state: "exploitable" } },
        { id: "CVE-2024-4", analysis: {} },
        { id: "CVE-2024-5" },
      ],
    });

    expect(statements[0]).toEqual({
      vulnerability: ["CVE-2024-1", "GHSA-1"],
      status: "not_affected",
      products: [
        { component: "pkg:npm/a@1" },
        { component: "pkg:npm/b@2" },
        { image: "pkg:oci/app@sha256:aa" },
        { component: "pkg:npm/c" },
        { component: "pkg:npm/d" },
      ],
      justification: "code_not_reachable",
      detail: "Never called.",
      statedAt: stated,
      place: "app.json: vulnerabilities[0]",
    });
    expect(statements.map(({ status }) => status)).toEqual([
      "not_affected",
      "fixed",
      "affected",
      "under_investigation",
    ]);
  });

  it("reads CSAF", () => {
    const product = (product_id: string, purl?: string) => ({
      product_id,
      name: `name of ${product_id}`,
      product_identification_helper: purl === undefined ? undefined : { purl },
    });
    const statements = parse({
      document: {
        csaf_version: "2.0",
        category: "csaf_vex",
        publisher: { name: "Example" },
        tracking: { current_release_date: "2026-01-02T00:00:00Z" },
      },
      product_tree: {
        branches: [{ branches: [{ product: product("lib", "pkg:npm/a@1") }] }, { product: product("app") }],
        relationships: [
          { product_reference: "lib", relates_to_product_reference: "app", full_product_name: product("app:lib") },
        ],
      },
      vulnerabilities: [
        {
          cve: "CVE-2024-1",
          ids: [{ text: "GHSA-1" }],
          product_status: { known_not_affected: ["app:lib", "lib"], fixed: ["app"], known_affected: ["unheard"] },
          flags: [{ label: "component_not_present", product_ids: ["app:lib"] }],
          threats: [{ category: "impact", details: "Left out.", product_ids: ["app:lib"] }],
        },
      ],
    });

    const common = { vulnerability: ["CVE-2024-1", "GHSA-1"], author: "Example", statedAt: stated };
    const place = "app.json: vulnerabilities[0].product_status";
    expect(statements).toEqual([
      {
        ...common,
        status: "not_affected",
        products: [{ image: "name of app", component: "pkg:npm/a@1" }],
        justification: "component_not_present",
        detail: "Left out.",
        place: `${place}.known_not_affected[0]`,
      },
      {
        ...common,
        status: "not_affected",
        products: [{ image: "pkg:npm/a@1" }],
        place: `${place}.known_not_affected[1]`,
      },
      { ...common, status: "fixed", products: [{ image: "name of app" }], place: `${place}.fixed[0]` },
      { ...common, status: "affected", products: [], place: `${place}.known_affected[0]` },
    ]);
  });

  it("reads the versions of CycloneDX that agree with the statement", () => {
    const about = (state: string, versions: readonly object[]) => ({
      ...{ id: "CVE-1", analysis: { state }, affects: [{ ref: "pkg:npm/a", versions }] },
    });
    const both = [
      { range: "vers:npm/>=2", status: "unaffected" },
      { version: "1", status: "affected" },
      { version: "0" },
    ];
    const statements = parse({
      bomFormat: "CycloneDX",
      vulnerabilities: [about("not_affected", both), about("exploitable", both), about("resolved", [])],
    });

    expect(statements.map(({ products }) => products)).toEqual([
      [{ component: "pkg:npm/a", versions: { component: ["vers:npm/>=2", "0"] } }],
      [{ component: "pkg:npm/a", versions: { component: ["1", "0"] } }],
      [{ component: "pkg:npm/a" }],
    ]);
  });

  it("reads the versions of CSAF's branches where the package URL has none", () => {
    const branch = (product_id: string, purl: string, more: object) => ({
      ...{ ...more, product: { product_id, name: "a", product_identification_helper: { purl } } },
    });
    const range = { category: "product_version_range", name: "vers:npm/>=2" };
    const branches = [
      branch("0", "pkg:npm/a", range),
      branch("1", "pkg:npm/a@2", range),
      branch("2", "pkg:npm/a", { category: "product_version", name: "2.1" }),
      branch("3", "pkg:npm/a", { category: "product_version", name: "a" }),
      branch("4", "pkg:oci/app", { category: "product_name", name: "app" }),
    ];
    const related = { product_reference: "0", relates_to_product_reference: "4" };
    const relationships = [{ ...related, full_product_name: { product_id: "5", name: "a in app" } }];
    const statements = parse({
      document: { csaf_version: "2.0" },
      product_tree: { branches, relationships },
      vulnerabilities: [{ cve: "CVE-1", product_status: { known_not_affected: ["0", "1", "2", "3", "5"] } }],
    });

    expect(statements.flatMap(({ products }) => products)).toEqual([
      { image: "pkg:npm/a", versions: { image: ["vers:npm/>=2"] } },
      { image: "pkg:npm/a@2" },
      { image: "pkg:npm/a", versions: { image: ["2.1"] } },
      { image: "pkg:npm/a" },
      { image: "pkg:oci/app", component: "pkg:npm/a", versions: { component: ["vers:npm/>=2"] } },
    ]);
  });

  it("reads of several identifiers of OpenVEX those with a version", () => {
    const products = [{ "@id": "pkg:npm/a", identifiers: { purl: "pkg:npm/a@2" } }];

    expect(parse({ "@context": context, statements: [{ vulnerability: "CVE-1", status: "fixed", products }] })).toEqual(
      [expect.objectContaining({ products: [{ image: "pkg:npm/a@2" }] })],
    );
  });

  it("reads deeply nested components", () => {
    let component: object = { "bom-ref": "last", purl: "pkg:npm/a@1" };
    for (let depth = 0; depth < 150; depth++) component = { components: [component] };
    const vulnerabilities = [{ id: "CVE-1", analysis: { state: "resolved" }, affects: [{ ref: "last" }] }];

    expect(parse({ bomFormat: "CycloneDX", components: [component], vulnerabilities })).toMatchObject([
      { products: [{ component: "pkg:npm/a@1" }] },
    ]);
  });

  it("reads 150,000 components and branches", () => {
    const many = Array.from({ length: 150_000 }, () => ({}));
    const vulnerabilities = [{ id: "CVE-1", analysis: { state: "resolved" }, affects: [{ ref: "pkg:npm/a" }] }];

    expect(parse({ bomFormat: "CycloneDX", components: [{ components: many }], vulnerabilities })).toHaveLength(1);
    const tree = { branches: [{ branches: many }] };
    expect(parse({ document: { csaf_version: "2.0" }, product_tree: tree, vulnerabilities: [] })).toEqual([]);
  });

  it.each<[string, unknown, string | undefined]>([
    [
      "its authors",
      { authors: [{ name: "A" }, { email: "b@example.com" }, { name: "C" }], supplier: { name: "S" } },
      "A, C",
    ],
    ["its manufacturer", { authors: [{}], manufacturer: { name: "M" }, supplier: { name: "S" } }, "M"],
    ["its supplier", { manufacture: {}, supplier: { name: "S" } }, "S"],
    ["nothing if it names none", { timestamp: "2026-01-02T00:00:00Z" }, undefined],
    ["nothing if it has no metadata", undefined, undefined],
  ])("reads as the author of CycloneDX %s", (_, metadata, author) => {
    const vulnerabilities = [{ id: "CVE-1", analysis: { state: "resolved" }, affects: [{ ref: "pkg:npm/a" }] }];

    expect(parse({ bomFormat: "CycloneDX", metadata, vulnerabilities })[0]?.author).toBe(author);
  });

  it.each<[string, unknown, string]>([
    ["another document", { spdxVersion: "SPDX-2.3" }, "expected a document of OpenVEX, CSAF 2.0 or CycloneDX"],
    ["a list", [], "expected a document of OpenVEX"],
    [
      "an unknown status",
      { "@context": context, statements: [{ vulnerability: "CVE-1", status: "fine" }] },
      "statements[0].status",
    ],
    ["no vulnerability", { "@context": context, statements: [{ status: "fixed" }] }, "statements[0].vulnerability"],
    [
      "an invalid date",
      { "@context": context, timestamp: "soon", statements: [] },
      "timestamp: expected a date and time",
    ],
    [
      "a product without identifiers",
      { "@context": context, statements: [{ vulnerability: "CVE-1", status: "fixed", products: [{}] }] },
      "statements[0].products[0]",
    ],
    [
      "an unknown state",
      { bomFormat: "CycloneDX", vulnerabilities: [{ id: "CVE-1", analysis: { state: "x" } }] },
      "analysis.state",
    ],
  ])("refuses %s, and says where", (_, json, message) => {
    expect(() => parse(json)).toThrow(expect.objectContaining({ code: "malformed_vex" }));
    expect(() => parse(json)).toThrow(message);
  });

  it("refuses CSAF whose statements share more than a million names and products", () => {
    const ids = Array.from({ length: 1500 }, (_, at) => ({ text: `N-${at}` }));
    const status = { fixed: Array.from({ length: 1500 }, () => "a") };

    expect(() =>
      parse({ document: { csaf_version: "2.0" }, vulnerabilities: [{ ids, product_status: status }] }),
    ).toThrow("app.json: vulnerabilities[0]: expected at most 1000000 names and products");
  });

  it("refuses CSAF whose identifiers have more than a million combinations", () => {
    const product = (product_id: string) => ({
      product_id,
      name: product_id,
      product_identification_helper: {
        hashes: [
          {
            file_hashes: Array.from({ length: 1001 }, (_, n) => ({ algorithm: "sha256", value: `${product_id}${n}` })),
          },
        ],
      },
    });
    const relationship = {
      product_reference: "lib",
      relates_to_product_reference: "app",
      full_product_name: { product_id: "app:lib", name: "lib in app" },
    };
    const tree = { full_product_names: [product("lib"), product("app")], relationships: [relationship] };

    expect(() => parse({ document: { csaf_version: "2.0" }, product_tree: tree })).toThrow(
      "product_tree.relationships[0]: expected at most 1000000 products",
    );
  });

  it("reads a document in UTF-16 with a byte order mark", () => {
    const document = { "@context": "https://openvex.dev/ns/v0.2.0", statements: [] };

    expect(parseVex(Buffer.from(`\ufeff${JSON.stringify(document)}`, "utf16le"), "app.json")).toEqual([]);
  });

  it("refuses a text that is not JSON", () => {
    expect(() => parseVex(new TextEncoder().encode("<html>"), "app.json")).toThrow(
      expect.objectContaining({ code: "malformed_vex" }),
    );
  });
});

describe("readVexInSlices", () => {
  const many = <Item>(make: (at: number) => Item) => Array.from({ length: 100 }, (_, at) => make(at));
  const purl = (at: number) => `pkg:npm/a${at}@1`;
  const status = { status: "fixed", vulnerability: "CVE-1" };
  const product = (at: number) => ({
    product_id: `${at}`,
    name: "a",
    product_identification_helper: { purl: purl(at) },
  });
  const related = (at: number) => ({
    ...{ product_reference: `${at}`, relates_to_product_reference: "0", full_product_name: product(at + 100) },
  });
  const csaf = { document: { csaf_version: "2.0" }, product_tree: { full_product_names: many(product) } };
  const cyclone = { bomFormat: "CycloneDX", components: many((at) => ({ "bom-ref": `${at}`, purl: purl(at) })) };
  const analysis = { state: "resolved" };

  it.each<[string, object]>([
    ["statements of OpenVEX", { "@context": context, statements: many(() => status) }],
    ["products of OpenVEX", { "@context": context, statements: [{ ...status, products: many(purl) }] }],
    [
      "components of OpenVEX",
      { "@context": context, statements: [{ ...status, products: [{ "@id": "x", subcomponents: many(purl) }] }] },
    ],
    ["products of CSAF", { ...csaf, vulnerabilities: [] }],
    ["relations of CSAF", { ...csaf, product_tree: { ...csaf.product_tree, relationships: many(related) } }],
    ["statements of CSAF", { ...csaf, vulnerabilities: [{ cve: "CVE-1", product_status: { fixed: many(String) } }] }],
    ["flags of CSAF", { ...csaf, vulnerabilities: [{ flags: [{ label: "x", product_ids: many(String) }] }] }],
    ["components of CycloneDX", cyclone],
    ["statements of CycloneDX", { ...cyclone, vulnerabilities: many((at) => ({ id: `CVE-${at}`, analysis })) }],
    [
      "products of CycloneDX",
      { ...cyclone, vulnerabilities: [{ id: "CVE-1", analysis, affects: many((at) => ({ ref: `${at}` })) }] },
    ],
  ])("reads many %s as parseVex does, and pauses after each", async (_, document) => {
    let pauses = 0;

    const statements = await readVexInSlices(document as never, "app.json", () => void pauses++);

    expect(statements).toEqual(parse(document));
    expect(pauses).toBeGreaterThanOrEqual(100);
  });
});
