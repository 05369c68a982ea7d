import { describe, expect, it } from "vitest";
import { elementOf, elementsOf } from "./s3-xml.ts";

describe("elementOf", () => {
  it.each([
    ["<ETag>&quot;4f&quot;</ETag>", '"4f"'],
    ["<ETag>&#34;4f&#34;</ETag>", '"4f"'],
    ["<ETag>&#x22;4f&#X22;</ETag>", '"4f"'],
    ['<ETag>"4f"</ETag>', '"4f"'],
    ["<ETag>&amp;#34; &lt;&gt;&apos;&unknown;</ETag>", "&#34; <>'&unknown;"],
    ["<ETag></ETag><ETag>2</ETag>", ""],
    ["<Other>1</Other>", undefined],
  ])("reads %s", (xml, text) => {
    expect(elementOf(xml, "ETag")).toBe(text);
  });
});

describe("elementsOf", () => {
  it("gives each as it is written", () => {
    expect(elementsOf("<A>1</A><AB>2</AB><A>&lt;\n</A>", "A")).toEqual(["1", "&lt;\n"]);
  });
});
