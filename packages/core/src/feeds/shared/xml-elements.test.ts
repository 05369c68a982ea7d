import { describe, expect, it } from "vitest";
import type { Bytes } from "../../bytes/bytes.ts";
import { collect } from "./fixtures/items-of.ts";
import { type XmlElement, xmlElements } from "./xml-elements.ts";

async function* bytesOf(text: string, chunkBytes = 3): Bytes & AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

function read(source: Bytes, depth = 1): Promise<XmlElement[]> {
  return collect(xmlElements(source, "feed.xml", { root: "updates", depth, wants: (name) => name === "update" }));
}

describe("xmlElements", () => {
  it("gives the wanted elements with all that is in them", async () => {
    const [update, ...others] = await read(
      bytesOf(
        '<u:updates xmlns:u="a"><x/><update type="é">a &amp; <b c="1">x</b> <![CDATA[<&>]]><!-- y --></update></u:updates>',
      ),
    );

    expect(update).toMatchObject({ name: "update", attributes: { type: "é" }, text: "a &  <&>" });
    expect(update?.children).toMatchObject([{ name: "b", attributes: { c: "1" }, text: "x" }]);
    expect(others).toEqual([]);
  });

  it("takes only those of the wanted depth", async () => {
    const document = "<updates><update><update n='1'/></update><a><update n='2'/></a></updates>";

    expect(await read(bytesOf(document), 2)).toMatchObject([{ attributes: { n: "1" } }, { attributes: { n: "2" } }]);
  });

  it.each([
    ["a page for people", "<!DOCTYPE html><html><body>Moved<br></body></html>", "document type declaration"],
    [
      "entities of the document's own",
      '<!DOCTYPE updates [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><updates><update>&b;</update></updates>',
      "document type declaration",
    ],
    ["an entity that is not there", "<updates><update>&lol;</update></updates>", "entity"],
    ["another root", "<metadata/>", "found <metadata>, not <updates>"],
    ["the end of the document too early", "<updates><update>", "unclosed tag"],
    ["nothing at all", "", "root element"],
    ["tags that do not match", "<updates><update></updates>", "unexpected close tag"],
    ["another encoding", '<?xml version="1.0" encoding="utf-16"?><updates/>', "encoding utf-16"],
    ["elements without end", `<updates>${"<a>".repeat(200)}`, "nested more than 100 deep"],
  ])("refuses %s", async (_, document, message) => {
    const failure = expect(read(bytesOf(document))).rejects;
    await failure.toMatchObject({ code: "malformed_feed", message: expect.stringContaining(message) });
  });

  it.each([
    ["a text", "<updates><update>", "x", "more than 16777216 characters"],
    ["an attribute", "<updates><update a='", "x", "more than 16777216 characters"],
    ["a comment", "<updates><!--", "x", "more than 16777216 characters"],
    ["children", "<updates><update>", "<a></a>", "more than 250000 in it"],
  ])("does not hold an element without end in memory: %s", async (_, start, more, message) => {
    async function* endless(): Bytes & AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode(start);
      for (;;) yield new TextEncoder().encode(more.repeat(1024 ** 2));
    }

    await expect(read(endless())).rejects.toMatchObject({ message: expect.stringContaining(message) });
  });

  it("reads as many elements as come", async () => {
    async function* many(): Bytes & AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode("<updates>");
      for (let i = 0; i < 40; i++) yield new TextEncoder().encode(`<update>${"x".repeat(1024 ** 2)}</update>`);
      yield new TextEncoder().encode("</updates>");
    }

    expect(await read(many())).toHaveLength(40);
  });

  it("puts a sign in the place of bytes that are no UTF-8", async () => {
    async function* broken(): Bytes & AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode("<updates><update>");
      yield Uint8Array.of(0xff, 0x61);
      yield new TextEncoder().encode("</update></updates>");
    }

    expect(await read(broken())).toMatchObject([{ text: "�a" }]);
  });
});
