import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ScanError } from "../../errors.ts";
import { type OvalVendor, ovalAdvisories } from "../oval/definition.ts";
import { readOvalTables } from "../oval/tables.ts";
import { type UpdateVendor, updateAdvisories } from "../updateinfo/update.ts";
import { type ReadPart, wholeRecord } from "./malformed-feed.ts";
import type { XmlElement } from "./xml-elements.ts";

const names = fc.constantFrom(
  ...[
    "metadata",
    "criteria",
    "criterion",
    "title",
    "reference",
    "advisory",
    "severity",
    "issued",
    "cve",
    "description",
  ],
  ...["id", "release", "references", "pkglist", "collection", "module", "package"],
);
const attributeNames = fc.constantFrom(
  ...["operator", "negate", "test_ref", "comment", "class", "id", "ref_id", "ref_url", "href", "date", "title"],
  ...["type", "name", "epoch", "version", "release", "arch", "stream"],
);
const texts = fc.constantFrom(
  ...["", "OR", "true", "CVE-2024-0001", "ALAS2-2024-1", "oval:x:tst:1", "oval:x:tst:2", "oval:x:tst:3", "zlib", "1.2"],
  ...[
    "Module a:1 is enabled",
    "Oracle Linux 8 is installed",
    "security",
    "2024-13-45 99:99",
    "https://a.example",
    "-0",
  ],
);

/** XML that looks like a record of a feed, more or less. */
const anyElement = fc.letrec<{ element: XmlElement }>((tie) => ({
  element: fc.record({
    name: names,
    attributes: fc.dictionary(attributeNames, texts, { maxKeys: 5 }),
    children: fc.oneof({ maxDepth: 6 }, fc.constant([]), fc.array(tie("element"), { maxLength: 5 })),
    text: texts,
  }),
})).element;

const oval: OvalVendor = { updater: "sample", packageKind: "BINARY", ecosystemsOf: () => ["ol:8"] };
const updates: UpdateVendor = { updater: "sample", ecosystemOf: () => "amzn:2", listsOneArch: false };

/** A part that cannot be read costs itself. */
const readable: ReadPart = Object.assign(
  <Part>(read: () => Part) => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ScanError)) throw error;
      return undefined;
    }
  },
  { leaveOut: () => [] },
);

async function* tablesDocument(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(`<oval_definitions><tests>
    <rpminfo_test id="oval:x:tst:1"><object object_ref="oval:x:obj:1"/><state state_ref="oval:x:ste:1"/></rpminfo_test>
    <rpminfo_test id="oval:x:tst:2"><object object_ref="oval:x:obj:1"/></rpminfo_test>
    <rpminfo_test id="oval:x:tst:3"><object/></rpminfo_test></tests>
    <objects><rpminfo_object id="oval:x:obj:1"><name>zlib</name></rpminfo_object></objects>
    <states><rpminfo_state id="oval:x:ste:1"><evr operation="less than">2-1</evr></rpminfo_state></states></oval_definitions>`);
}

describe("feeds in XML", async () => {
  const tables = await readOvalTables(tablesDocument(), "tables.xml");

  const child = (
    name: string,
    children: readonly XmlElement[],
    { text = "", attributes = {} }: Partial<Pick<XmlElement, "text" | "attributes">> = {},
  ): XmlElement => ({
    name,
    attributes,
    children,
    text,
  });
  /** A definition and an update that hold what was made. */
  const definition = (parts: readonly XmlElement[]) => {
    const below = child("criterion", [], { attributes: { test_ref: "oval:x:tst:1" } });
    const metadata = child("metadata", [child("title", [], { text: "CVE-2024-0001" }), ...parts]);
    return child("definition", [metadata, child("criteria", [...parts, below])]);
  };
  const zlib = child("package", [], { attributes: { name: "zlib", version: "1", release: "1" } });
  const update = (parts: readonly XmlElement[]) => {
    const packages = parts.map((part) => ({ ...part, name: "package" }));
    const collection = child("collection", [...parts, ...packages, zlib]);
    return child("update", [child("id", [], { text: "ALAS2-1" }), ...parts, child("pkglist", [collection])], {
      attributes: { type: "security" },
    });
  };

  it.each<[string, (parts: readonly XmlElement[]) => readonly { readonly id: string }[]]>([
    ["ovalAdvisories", (parts) => ovalAdvisories(definition(parts), { vendor: oval, tables }, readable)],
    ["updateAdvisories", (parts) => updateAdvisories(update(parts), updates, wholeRecord)],
  ])("%s reads whatever XML there is, or says what is wrong with it", (_, read) => {
    let found = 0;
    fc.assert(
      fc.property(fc.array(anyElement, { maxLength: 5 }), (parts) => {
        try {
          const ids = read(parts).map(({ id }) => id);
          expect(new Set(ids).size).toBe(ids.length);
          found += ids.length;
        } catch (error) {
          if (!(error instanceof ScanError)) throw error;
          expect(error.code).toBe("malformed_feed");
        }
      }),
      { numRuns: 2000, seed: 1 },
    );
    expect(found).toBeGreaterThan(100);
  });
});
