import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextLine, openPieces } from "./lines.ts";
import { decodeParagraphs, decodeText, ownText } from "./text.ts";

const encoder = new TextEncoder();
const paragraph = "Package: a\nDescription: b\n c\n";

describe("decodeParagraphs", () => {
  it("yields pieces that together are the whole text", () => {
    const part = fc.oneof(
      fc.constantFrom(
        "\n",
        "\r\n",
        "\r",
        " ",
        "\t",
        "a: b\n",
        "\n\n",
        "\r\n \t\r\n",
        "é—😀",
        "\uFEFF",
        "x".repeat(9_000),
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), fc.uint8Array({ maxLength: 9 }), (parts, odd) => {
        const bytes = new Uint8Array([
          ...encoder.encode(parts.join("")),
          ...odd,
          ...encoder.encode(parts.join("\n\n")),
        ]);
        expect([...decodeParagraphs(bytes)].join("")).toBe(decodeText(bytes));
      }),
    );
  });

  it.each([
    ["\\n", paragraph, "\n"],
    ["\\r\\n", paragraph.replaceAll("\n", "\r\n"), "\r\n"],
    ["blanks and tabs", paragraph, " \t \n"],
  ])("splits no paragraph if blank lines are %s", (_, text, blankLine) => {
    const pieces = [...decodeParagraphs(encoder.encode(`${text}${blankLine}`.repeat(9_000)))];
    expect(pieces.length).toBeGreaterThan(3);
    for (const piece of pieces) expect(piece).toMatch(/^Package[\s\S]*\n[ \t]*\n$/);
  });

  it("yields a text without blank lines as one piece", () => {
    expect([...decodeParagraphs(encoder.encode("a line\n".repeat(30_000)))]).toHaveLength(1);
  });

  it("keeps a byte order mark that is not at the beginning", () => {
    const text = `${"a\n\n".repeat(20_000)}\uFEFFb\n\n`.repeat(2);
    expect([...decodeParagraphs(encoder.encode(text))].join("")).toBe(text);
  });
});

describe("openPieces", () => {
  it("numbers lines over all pieces", () => {
    const lines: [number, string][] = [];
    for (const cursor of openPieces(["a\nb\n", "c\n", "", "d"])) {
      while (nextLine(cursor)) lines.push([cursor.line, cursor.text.slice(cursor.start, cursor.end)]);
    }
    expect(lines).toEqual([
      [1, "a"],
      [2, "b"],
      [3, "c"],
      [4, "d"],
    ]);
  });
});

describe("ownText", () => {
  it.each(["", "a", "a longer text that would be a part", "wide: é—😀 and more of it"])(
    "is the same text: %j",
    (text) => {
      expect(ownText(text)).toBe(text);
    },
  );
});
