import { describe, expect, it } from "vitest";
import { licenseReference } from "./license-reference.ts";
import { licenseNames, summarizeLicenses } from "./spdx.ts";
import { choicesOf, licensesSatisfy, spdxExpression } from "./spdx-expression.ts";

describe("spdxExpression", () => {
  it.each([
    ["MIT", "MIT"],
    [" mit ", "MIT"],
    ["Apache-2.0 or mit", "Apache-2.0 OR MIT"],
    ["(MIT AND BSD-3-Clause)", "MIT AND BSD-3-Clause"],
    ["MIT AND (ISC OR Zlib)", "MIT AND (ISC OR Zlib)"],
    ["MIT OR (ISC AND Zlib)", "MIT OR ISC AND Zlib"],
    ["GPL-2.0-only with Classpath-exception-2.0", "GPL-2.0-only WITH Classpath-exception-2.0"],
    ["GPL-2.0+", "GPL-2.0-or-later"],
    ["GPL-3.0", "GPL-3.0-only"],
    ["LGPL-2.1 OR agpl-3.0+", "LGPL-2.1-only OR AGPL-3.0-or-later"],
    ["GPL-2.0-with-classpath-exception", "GPL-2.0-only WITH Classpath-exception-2.0"],
    ["GPL-2.0-only WITH classpath-Exception-2.0", "GPL-2.0-only WITH Classpath-exception-2.0"],
    ["Apache-2.0+", "Apache-2.0+"],
    ["GPL-2.0-or-later+", "GPL-2.0-or-later"],
    ["wxWindows OR StandardML-NJ", "LGPL-2.0-or-later WITH WxWindows-exception-3.1 OR SMLNJ"],
    ["bzip2-1.0.5", "bzip2-1.0.6"],
    ["DocumentRef-x:LicenseRef-y", undefined],
    ["MIT OR DocumentRef-x:LicenseRef-y", undefined],
    ["LicenseRef-Acme", "LicenseRef-Acme"],
    ["GPL", undefined],
    ["GPLv2+", undefined],
    ["MIT/Apache-2.0", undefined],
    ["SEE LICENSE IN LICENSE.md", undefined],
    ["", undefined],
    ["MIT AND", undefined],
    ["(".repeat(400), undefined],
    [`${"MIT AND ".repeat(200)}GPL-3.0-only`, `${"MIT AND ".repeat(200)}GPL-3.0-only`],
    [`${"MIT AND ".repeat(2000)}MIT`, undefined],
    [`${"(".repeat(2000)}MIT${")".repeat(2000)}`, "MIT"],
  ])("reads %j", (text, expression) => {
    expect(spdxExpression(text)).toBe(expression);
  });
});

describe("licenseReference", () => {
  const seen = new Set<string>();

  it.each([
    ["Own-1.0", "LicenseRef-Own-1.0"],
    ["Own 1.0", "LicenseRef-Own-1.0-"],
    ["Own_1.0", "LicenseRef-Own-1.0-"],
    ["Own-1.0-", "LicenseRef-Own-1.0-"],
    ["Own-0123456789abcd", "LicenseRef-Own-0123456789abcd-"],
    [`${"long ".repeat(40)}a`, `LicenseRef-${"long-".repeat(9)}long-`],
    [`${"long ".repeat(40)}b`, `LicenseRef-${"long-".repeat(9)}long-`],
    ["GPL-3+", "LicenseRef-GPL-3-or-later-"],
    ["ISC+IBM", "LicenseRef-ISC-IBM-"],
    ["CDDL + GPLv2 with classpath exception", "LicenseRef-CDDL-GPLv2-with-classpath-exception-"],
    ["GPL-3+ with Bison exception", "LicenseRef-GPL-3-or-later-with-Bison-exception-"],
    ["许可证", "LicenseRef-unnamed-"],
    ["許可證", "LicenseRef-unnamed-"],
  ])("names %j", (text, begin) => {
    const id = licenseReference(text);

    expect(id.replace(/(?<=-)[0-9a-f]{14}$/, (hash) => (begin.endsWith("-") ? "" : hash))).toBe(begin);
    expect(spdxExpression(id)).toBe(id);
    expect(seen.has(id)).toBe(false);
    seen.add(id);
  });
});

describe("licenseNames", () => {
  const names = new Map([
    ["Expat", "MIT"],
    ["GPL-3", "GPL-3.0-only"],
    ["perl", "GPL-1.0-or-later OR Artistic-1.0-Perl"],
  ]);

  it.each([
    ["Expat", "MIT"],
    ["Expat and GPL-3", "MIT AND GPL-3.0-only"],
    ["Expat or GPL-3 and Own", "MIT OR GPL-3.0-only AND LicenseRef-Own"],
    ["Expat or Own, and GPL-3", "(MIT OR LicenseRef-Own) AND GPL-3.0-only"],
    ["(GPL-3 or Expat) and ISC", "(GPL-3.0-only OR MIT) AND LicenseRef-ISC"],
    ["perl and Expat", "(GPL-1.0-or-later OR Artistic-1.0-Perl) AND MIT"],
    ["GPL-3 and", licenseReference("GPL-3 and")],
    ["GPL-3 or (Expat", undefined],
    ["x ".repeat(3000), undefined],
  ])("reads %j", (text, expression) => {
    expect(licenseNames(text, (name) => names.get(name))).toBe(expression);
  });
});

describe("choicesOf", () => {
  it.each([
    ["GPL-2.0-or-later", ["GPL-2.0-only", "GPL-3.0-only", "GPL-3.0-or-later"]],
    ["GPL-3.0-or-later WITH GCC-exception-3.1", ["GPL-3.0-only WITH GCC-exception-3.1"]],
    ["MPL-1.1+", ["MPL-1.1", "MPL-2.0"]],
    ["Apache-2.0+", ["Apache-2.0"]],
    ["GPL-2.0-only", []],
    ["LicenseRef-Own-1.0", []],
    ["MIT", []],
  ])("of %s are %j", (license, choices) => {
    expect(choicesOf(license).toSorted()).toEqual(choices);
  });
});

describe("licensesSatisfy", () => {
  it.each<[string, string[], boolean]>([
    ["MIT", ["MIT"], true],
    ["MIT OR GPL-2.0-only", ["MIT"], true],
    ["MIT AND GPL-2.0-only", ["MIT"], false],
    ["MIT AND (ISC OR GPL-2.0-only)", ["MIT", "ISC"], true],
    ["GPL-2.0-only WITH Classpath-exception-2.0", ["GPL-2.0-only"], false],
  ])("%s with %j: %s", (expression, allowed, expected) => {
    expect(licensesSatisfy(expression, (license) => allowed.includes(license))).toBe(expected);
  });
});

describe("summarizeLicenses", () => {
  const summary = (...texts: string[]) => summarizeLicenses({ licenses: texts.map((text) => ({ text })) });

  it("joins what is stated, and names what the SPDX list does not have", () => {
    const own = licenseReference("Öwn Licence, v1.0!");

    expect(summary("MIT OR Apache-2.0", "ISC", "mit or apache-2.0", "Öwn Licence, v1.0!")).toMatchObject({
      expression: `(MIT OR Apache-2.0) AND ISC AND ${own}`,
      references: [{ id: own, statement: { text: "Öwn Licence, v1.0!" } }],
    });
  });

  it("names references in an expression, and each licence once", () => {
    const licenses = [
      { text: "GPL-3+ and Own+", expression: "GPL-3.0-or-later AND LicenseRef-Own-or-later" },
      { text: "GPL-3.0-or-later" },
    ];

    expect(summarizeLicenses({ licenses })).toMatchObject({
      expression: "GPL-3.0-or-later AND LicenseRef-Own-or-later",
      references: [{ id: "LicenseRef-Own-or-later", statement: licenses[0] }],
    });
  });

  it.each([
    ["(MIT OR X)", "MIT OR LicenseRef-X"],
    ["(mit or X)", "MIT OR LicenseRef-X"],
    ["MIT AND (X-1.0 OR ISC)", "MIT AND (LicenseRef-X-1.0 OR ISC)"],
    ["GPL or later", licenseReference("GPL or later")],
    ["free for personal OR commercial use", licenseReference("free for personal OR commercial use")],
    ["MIT OR", licenseReference("MIT OR")],
    ["MIT or GPLv2", "MIT OR GPL-2.0-only"],
    ["MIT AND (GPL v2 OR Apache 2.0)", "MIT AND (GPL-2.0-only OR Apache-2.0)"],
    ["BSD or MIT", licenseReference("BSD or MIT")],
    ["MIT or GPL v2 or later", licenseReference("MIT or GPL v2 or later")],
  ])("keeps the expression of %s", (text, expression) => {
    expect(summary(text)?.expression).toBe(expression);
  });

  it("says of a reference only what it stands for", () => {
    expect(summary("Own-1", "MIT OR Own-1")?.references).toEqual([
      { id: "LicenseRef-Own-1", statement: { text: "Own-1" } },
    ]);
  });

  it("uses the expression that a packaging system documents", () => {
    const licenses = [{ text: "Expat", expression: "MIT" }];

    expect(summarizeLicenses({ licenses })).toEqual({ expression: "MIT", licenses: ["MIT"], references: [] });
  });

  it("lists each licence once, with its exception", () => {
    expect(summary("MIT AND (GPL-2.0-only WITH Classpath-exception-2.0 OR MIT) AND ISC+", "MIT")?.licenses).toEqual([
      "MIT",
      "GPL-2.0-only WITH Classpath-exception-2.0",
      "ISC+",
    ]);
  });

  it("is undefined where nothing is stated", () => {
    expect(summarizeLicenses({ homepage: "https://a.example" })).toBeUndefined();
  });
});
