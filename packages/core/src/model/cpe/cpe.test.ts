import { describe, expect, it } from "vitest";
import { formatCpe, parseCpe } from "./format.ts";
import { compareCpe, cpeMatches, cpeStartsWith } from "./match.ts";
import { parseWfn } from "./parse.ts";

const any = { part: "*", vendor: "*", product: "*", version: "*", update: "*", edition: "*", language: "*" };
const anyExtended = { swEdition: "*", targetSw: "*", targetHw: "*", other: "*" };

/** The two forms of the same name; many rows are examples of NIST IR 7695. */
const rows: readonly (readonly [formatted: string, uri: string])[] = [
  [
    "cpe:2.3:a:microsoft:internet_explorer:8.0.6001:beta:*:*:*:*:*:*",
    "cpe:/a:microsoft:internet_explorer:8.0.6001:beta",
  ],
  ["cpe:2.3:a:microsoft:internet_explorer:8.*:sp?:*:*:*:*:*:*", "cpe:/a:microsoft:internet_explorer:8.%02:sp%01"],
  [
    "cpe:2.3:a:hp:insight_diagnostics:7.4.0.1570:-:*:*:online:win2003:x64:*",
    "cpe:/a:hp:insight_diagnostics:7.4.0.1570:-:~~online~win2003~x64~",
  ],
  [
    "cpe:2.3:a:hp:openview_network_manager:7.51:*:*:*:*:linux:*:*",
    "cpe:/a:hp:openview_network_manager:7.51::~~~linux~~",
  ],
  [
    "cpe:2.3:a:foo\\\\bar:big\\$money_manager_2010:*:*:*:*:special:ipod_touch:80gb:*",
    "cpe:/a:foo%5cbar:big%24money_manager_2010:::~~special~ipod_touch~80gb~",
  ],
  ["cpe:2.3:o:redhat:enterprise_linux:8:*:*:*:*:*:*:*", "cpe:/o:redhat:enterprise_linux:8"],
  ["cpe:2.3:a:redhat:enterprise_linux:8:*:appstream:*:*:*:*:*", "cpe:/a:redhat:enterprise_linux:8::appstream"],
  ["cpe:2.3:a:gnu:c\\+\\+:4.8\\:1:*:*:en-us:*:*:*:*", "cpe:/a:gnu:c%2b%2b:4.8%3a1:::en-us"],
  ["cpe:2.3:h:cisco:*:\\-:*:*:*:*:*:*:*", "cpe:/h:cisco::%2d"],
  ["cpe:2.3:a:a\\~b:c:*:*:*:*:*:*:*:*", "cpe:/a:a%7eb:c"],
  ["cpe:2.3:*:*:*:*:*:*:*:*:*:*:*", "cpe:/"],
];

describe("parseCpe", () => {
  it.each(rows)("takes %s and %s for the same name", (formatted, uri) => {
    expect([parseCpe(formatted), parseCpe(uri)]).toEqual([formatted, formatted]);
  });

  it.each([
    ["CPE:2.3:A:RedHat:Enterprise_Linux:8:*:*:*:*:*:*:*", "cpe:2.3:a:redhat:enterprise_linux:8:*:*:*:*:*:*:*"],
    ["cpe:2.3:o:amazon:amazon_linux:2023", "cpe:2.3:o:amazon:amazon_linux:2023:*:*:*:*:*:*:*"],
    ["cpe:2.3:a:v\\.x:p\\-q\\_r:1\\.0", "cpe:2.3:a:v.x:p-q_r:1.0:*:*:*:*:*:*:*"],
    ["cpe:2.3:a:v\\\\.x:p", "cpe:2.3:a:v\\\\.x:p:*:*:*:*:*:*:*:*"],
    ["cpe:/a:gnu:c++:1.0", "cpe:2.3:a:gnu:c\\+\\+:1.0:*:*:*:*:*:*:*"],
    ["cpe:/o:amazon:linux:2018.03:ga", "cpe:2.3:o:amazon:linux:2018.03:ga:*:*:*:*:*:*"],
    ["cpe:/o:suse:sles:15:sp5", "cpe:2.3:o:suse:sles:15:sp5:*:*:*:*:*:*"],
  ])("reads %s as %s", (text, formatted) => {
    expect(parseCpe(text)).toBe(formatted);
  });

  it.each([
    ["", "cpe:2.3: or cpe:/"],
    ["redhat:enterprise_linux", "cpe:2.3: or cpe:/"],
    ["cpe:2.3:", "a valid part"],
    ["cpe:2.3:x:v:p", "a valid part"],
    ["cpe:2.3:a::p", "a valid vendor"],
    ["cpe:2.3:a:v:p:1 0", "a valid version"],
    ["cpe:2.3:a:v:p:1+0", "a valid version"],
    ["cpe:2.3:a:v:p:1*0", "a valid version"],
    ["cpe:2.3:a:v:p:**", "a valid version"],
    ["cpe:2.3:a:v:p:?", "a valid version"],
    ["cpe:2.3:a:v:p:\\a", "a valid version"],
    ["cpe:2.3:a:v:p:1\\", "a valid version"],
    ["cpe:2.3:a:v:pé", "a valid product"],
    ["cpe:2.3:a:v:p:1:2:3:4:5:6:7:8:9", "at most 11 attributes"],
    ["cpe:/a:v:p:1:2:3:4:5", "at most 7 components"],
    ["cpe:/a:v:p:1:2:~x~y", "5 attributes packed"],
    ["cpe:/a:v:p%zz", "two hex digits after each %"],
    ["cpe:/a:v:p%20x", "a valid product"],
    [`cpe:/a:v:${"p".repeat(3000)}`, "at most 2048 characters"],
  ])("refuses %s: expected %s", (text, expected) => {
    const parse = () => parseCpe(text);

    expect(parse).toThrow(`CPE name: expected ${expected}`);
    expect(parse).toThrow(expect.objectContaining({ code: "malformed_cpe" }));
  });
});

describe("parseWfn", () => {
  it("gives all attributes", () => {
    expect(parseWfn("cpe:/a:hp:insight_diagnostics:7.4::~ed~online~win2003~x64~o:de")).toEqual({
      ...any,
      ...anyExtended,
      part: "a",
      vendor: "hp",
      product: "insight_diagnostics",
      version: "7.4",
      edition: "ed",
      language: "de",
      swEdition: "online",
      targetSw: "win2003",
      targetHw: "x64",
      other: "o",
    });
  });
});

describe("compareCpe", () => {
  const withVersion = (version: string) => parseWfn(`cpe:2.3:a:v:p:${version}`);

  it.each([
    // Table 6-2 of NIST IR 7696, row by row.
    ["*", "*", "equal"],
    ["*", "-", "superset"],
    ["*", "1", "superset"],
    ["*", "1*", "undefined"],
    ["-", "*", "subset"],
    ["-", "-", "equal"],
    ["-", "1", "disjoint"],
    ["-", "1*", "undefined"],
    ["1", "1", "equal"],
    ["1", "2", "disjoint"],
    ["1", "1*", "undefined"],
    ["1", "-", "disjoint"],
    ["1", "*", "subset"],
    ["1*", "12", "superset"],
    ["1*", "21", "disjoint"],
    ["1*", "*", "subset"],
    ["1*", "-", "disjoint"],
    ["1*", "1*", "undefined"],
    // Wildcards.
    ["*1", "21", "superset"],
    ["*1*", "213", "superset"],
    ["*1*", "23", "disjoint"],
    ["1*", "1", "superset"],
    ["1?", "1", "superset"],
    ["1?", "12", "superset"],
    ["1?", "123", "disjoint"],
    ["1??", "123", "superset"],
    ["?1", "21", "superset"],
    ["?1", "221", "disjoint"],
    ["??1?", "2212", "superset"],
    ["*1?", "221", "superset"],
    ["*1?", "2123", "disjoint"],
    ["1?", "1\\+", "superset"],
    ["1?", "1\\+\\+", "disjoint"],
    ["\\*1", "21", "disjoint"],
    ["\\*1", "\\*1", "equal"],
    ["8.4", "8x4", "disjoint"],
  ])("of version %s with %s is %s", (source, target, relation) => {
    expect(compareCpe(withVersion(source), withVersion(target))).toBe(relation);
  });

  it.each([
    ["cpe:/a:microsoft", "cpe:/a:microsoft:ie:9", "superset"],
    ["cpe:/a:microsoft:ie:9", "cpe:/a:microsoft", "subset"],
    ["cpe:/a:microsoft:ie", "cpe:/a:adobe:reader", "disjoint"],
    ["cpe:/a:microsoft:ie:9", "cpe:/a:microsoft:ie::sp1", "undefined"],
    ["cpe:/a:microsoft:ie:9:sp1", "cpe:/a:microsoft:ie:8", "disjoint"],
    ["cpe:/o:redhat:enterprise_linux:8", "cpe:/a:redhat:enterprise_linux:8", "disjoint"],
  ])("of %s with %s is %s", (source, target, relation) => {
    expect(compareCpe(parseWfn(source), parseWfn(target))).toBe(relation);
  });
});

describe("cpeMatches", () => {
  it.each([
    ["cpe:/a:redhat:enterprise_linux:8", "cpe:/a:redhat:enterprise_linux:8::appstream", true],
    ["cpe:/a:redhat:enterprise_linux:8::appstream", "cpe:/a:redhat:enterprise_linux:8", false],
    ["cpe:/a:redhat:enterprise_linux:8", "cpe:/a:redhat:enterprise_linux:8", true],
    ["cpe:/a:redhat:enterprise_linux:8", "cpe:/a:redhat:enterprise_linux:8.4", false],
    ["cpe:/a:redhat:openshift:4.%02", "cpe:/a:redhat:openshift:4.14::el9", true],
  ])("of %s and %s is %s", (pattern, name, expected) => {
    expect(cpeMatches(parseWfn(pattern), parseWfn(name))).toBe(expected);
  });
});

describe("cpeStartsWith", () => {
  it.each([
    ["cpe:/a:redhat:enterprise_linux:8", "cpe:/a:redhat:enterprise_linux:8::appstream", true],
    ["cpe:/a:redhat:enterprise_linux:8", "cpe:/a:redhat:enterprise_linux:8.4::appstream", true],
    ["cpe:/a:redhat:enterprise_linux:8::appstream", "cpe:/a:redhat:enterprise_linux:8::baseos", false],
    ["cpe:/o:redhat:enterprise_linux:8", "cpe:/a:redhat:enterprise_linux:8::appstream", false],
    ["cpe:/o:redhat:rhel_eus:8.1", "cpe:/o:redhat:rhel_eus:8.10::baseos", false],
    ["cpe:/a:redhat", "cpe:/a:redhat:rhel_eus:8.6", true],
  ])("of %s and %s is %s", (pattern, name, expected) => {
    expect(cpeStartsWith(parseWfn(pattern), parseWfn(name))).toBe(expected);
  });
});

describe("formatCpe", () => {
  it("writes all attributes", () => {
    expect(formatCpe({ ...any, ...anyExtended, part: "a" })).toBe("cpe:2.3:a:*:*:*:*:*:*:*:*:*:*");
  });
});
