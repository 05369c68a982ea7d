import { describe, expect, it } from "vitest";
import { readXml, tryReadXml } from "./s3-xml.ts";

describe("readXml", () => {
  it.each([
    ["<ETag>&quot;4f&quot;</ETag>", '"4f"'],
    ["<ETag>&#34;4f&#34;</ETag>", '"4f"'],
    ["<ETag>&#x22;4f&#x22;</ETag>", '"4f"'],
    ['<ETag a="b">"4f"</ETag>', '"4f"'],
    ["<ETag><![CDATA[<4f>]]></ETag>", "<4f>"],
    ["<ETag>&amp;#34; &lt;&gt;&apos;</ETag>", "&#34; <>'"],
    ["<ETag></ETag><ETag>2</ETag>", ""],
    ["<Other><ETag>1</ETag></Other>", undefined],
  ])("gives the text of %s", async (xml, text) => {
    const read = await readXml(`<?xml version="1.0"?><Result xmlns="http://s3.example/">${xml}</Result>`);

    expect(read.text("ETag")).toBe(text);
  });

  it("gives each element of a name", async () => {
    const { all } = await readXml("<L><A><B>1</B></A><AB/><A><B>&lt;</B></A></L>");

    expect(all("A").map((each) => each.text("B"))).toEqual(["1", "<"]);
  });

  it.each(["", "502 Bad Gateway", "<html><p></html>", "<A>&unknown;</A>"])("refuses %j", async (text) => {
    await expect(readXml(text)).rejects.toThrow(expect.objectContaining({ code: "unavailable" }));
    expect(await tryReadXml(text)).toBeUndefined();
  });
});
