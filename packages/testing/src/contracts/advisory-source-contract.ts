import assert from "node:assert/strict";
import type { Advisory, AdvisorySource } from "@plimsoll/core";
import type { AdvisoryRule } from "@plimsoll/core/match";
import { testAdvisory } from "./advisories.ts";
import type { ContractCase } from "./contract.ts";

/** Opens a source with exactly these advisories. */
export type OpenAdvisorySource = (advisories: readonly Advisory[]) => Promise<AdvisorySource>;

const full = testAdvisory({
  id: "rhel/CVE-2024-2/nodejs",
  name: "CVE-2024-2",
  aliases: ["GHSA-aaaa", "RHSA-2024:1"],
  ecosystem: "rhel:9",
  packageName: "nodejs",
  packageKind: "BINARY",
  module: "nodejs:20",
  arch: { operation: "pattern match", value: "x86_64|aarch64" },
  status: "not-affected",
  ranges: [
    { introduced: "1:1.0", fixed: "1:2.0" },
    { introduced: "1:3.0", lastAffected: "1:3.5" },
  ],
  versions: ["1:1.5", "1:1.6"],
  description: "Überlauf in 'zlib' \u0000 \u{1f600}",
  issuedAt: 1_763_600_000_123,
  links: ["https://example.com/2", "https://example.com/1"],
  severity: "important",
  normalizedSeverity: "High",
  remediation: "no-dsa",
});

const shapes: readonly Advisory[] = [
  testAdvisory({ id: "every version", ranges: [{}] }),
  testAdvisory({ id: "no version", ranges: [] }),
  testAdvisory({ id: "introduced", ranges: [{ introduced: "1" }] }),
  testAdvisory({ id: "fixed", ranges: [{ fixed: "" }] }),
  testAdvisory({ id: "last affected", ranges: [{ lastAffected: "2" }] }),
  testAdvisory({ id: "between", ranges: [{ introduced: "1", fixed: "2" }] }),
  testAdvisory({ id: "undetermined", status: "undetermined" }),
  testAdvisory({ id: "listed", ranges: [], versions: ["1", "2"] }),
];

/** What the engine may rely on, wherever the advisories are stored. */
export const advisorySourceContract: readonly ContractCase<OpenAdvisorySource>[] = [
  {
    name: "looks up every advisory of a key with everything that matching uses",
    async run(open) {
      const source = await open([...shapes, full]);

      const rules = await source.lookup([{ ecosystem: "debian:12", name: "zlib" }]);

      assert.deepEqual(byId(rules), byId(shapes.map(ruleOf)));
      assert.deepEqual(await source.lookup([{ ecosystem: "rhel:9", name: "nodejs" }]), [ruleOf(full)]);
    },
  },
  {
    name: "finds nothing by another name, another ecosystem or part of a name",
    async run(open) {
      const source = await open([full]);

      const rules = await source.lookup([
        { ecosystem: "rhel:8", name: "nodejs" },
        { ecosystem: "rhel:9", name: "node" },
        { ecosystem: "rhel:9", name: "nodejs-docs" },
        { ecosystem: "RHEL:9", name: "NodeJS" },
        { ecosystem: "", name: "" },
      ]);

      assert.deepEqual(rules, []);
      assert.deepEqual(await source.lookup([]), []);
    },
  },
  {
    name: "returns each advisory once for a repeated key, always in the same order",
    async run(open) {
      const source = await open(shapes);
      const key = { ecosystem: "debian:12", name: "zlib" };

      const first = await source.lookup([key, { ...key }]);

      assert.equal(first.length, shapes.length);
      assert.deepEqual(await source.lookup([key, key]), first);
    },
  },
  {
    name: "finds names with quotes, spaces and other scripts",
    async run(open) {
      const names = [
        `"quoted"`,
        "it's",
        "with blank",
        "@scope/name",
        "org.example:art",
        "пакет",
        "back\\slash",
        "null",
      ];
      const source = await open(names.map((packageName) => testAdvisory({ id: packageName, packageName })));

      const rules = await source.lookup(names.map((name) => ({ ecosystem: "debian:12", name })));

      assert.deepEqual(
        rules.map(({ packageName }) => packageName),
        names,
      );
    },
  },
  {
    name: "looks up thousands of keys at once",
    async run(open) {
      const source = await open(shapes);
      const others = Array.from({ length: 40_000 }, (_, index) => ({
        ecosystem: "debian:12",
        name: `package-${index}`,
      }));

      const rules = await source.lookup([...others, { ecosystem: "debian:12", name: "zlib" }]);

      assert.equal(rules.length, shapes.length);
    },
  },
  {
    name: "returns complete advisories in the order of the ids, without unknown ones",
    async run(open) {
      const source = await open([...shapes, full]);

      const details = await source.details([full.id, "unknown", "every version"]);

      assert.deepEqual(details, [full, shapes[0]]);
      assert.deepEqual(await source.details([]), []);
    },
  },
  {
    name: "lists the names of packages in an ecosystem's advisories once, if it can list names",
    async run(open) {
      const source = await open([...shapes, full]);

      assert.deepEqual(await (source.names?.("debian:12") ?? ["zlib"]), ["zlib"]);
      assert.deepEqual(await (source.names?.("plan9") ?? []), []);
    },
  },
  {
    name: "reports which ecosystems it covers, in the order of the arguments",
    async run(open) {
      const source = await open([...shapes, full]);

      const coverage = await source.coverage(["rhel:9", "plan9", "debian:12"]);

      assert.deepEqual(
        coverage.map(({ ecosystem, covered }) => [ecosystem, covered]),
        [
          ["rhel:9", true],
          ["plan9", false],
          ["debian:12", true],
        ],
      );
      assert.deepEqual(await source.coverage([]), []);
    },
  },
];

function ruleOf(advisory: Advisory): AdvisoryRule {
  const { updater, description, issuedAt, links, severity, normalizedSeverity, remediation, ...rule } = advisory;
  return rule;
}

function byId<Item extends { readonly id: string }>(items: readonly Item[]): readonly Item[] {
  return items.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
