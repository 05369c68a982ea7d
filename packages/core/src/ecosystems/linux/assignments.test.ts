import { describe, expect, it } from "vitest";
import { maxReleaseFileBytes, parseAssignments } from "./assignments.ts";
import { bytesOf } from "./fixtures/layer-files.ts";

describe("parseAssignments", () => {
  it.each<[string, string, string]>([
    ["a bare value", "A=debian", "debian"],
    ["an empty value", "A=", ""],
    ["empty quotes", 'A=""', ""],
    ["double quotes", 'A="12 (bookworm)"', "12 (bookworm)"],
    ["single quotes", "A='12 (bookworm)'", "12 (bookworm)"],
    ["blanks inside quotes", 'A="15.1 "', "15.1 "],
    ["blanks around the line", "  \tA=x \t", "x"],
    ["equals signs in the value", "A=b=c", "b=c"],
    ["escapes in double quotes", 'A="a\\"b\\\\c\\$d\\`e"', 'a"b\\c$d`e'],
    ["a backslash before another character", 'A="a\\nb"', "a\\nb"],
    ["no escapes in single quotes", "A='a\\\"b'", 'a\\"b'],
    ["a single quote in single quotes", "A='it'\\''s'", "it's"],
    ["single quotes in double quotes", `A="it's"`, "it's"],
    ["a backslash in a bare value", "A=a\\b", "a\\b"],
    ["the last one of a name", "A=1\nA=2", "2"],
    ["line ends of Windows", 'A="x"\r\n', "x"],
    ["a comment before", "# A=1\n\n#\nA=2", "2"],
  ])("reads %s", (_, text, expected) => {
    const { values, problems } = parseAssignments(bytesOf(text));

    expect(values.get("A")).toBe(expected);
    expect(problems.count).toBe(0);
  });

  it.each<[string, string, string | undefined, string]>([
    ["a line without equals sign", "what\nB=1", undefined, 'expected NAME=value, found "what"'],
    ["an empty name", "=1\nB=1", undefined, "expected NAME=value"],
    ["a name with a blank", "A B=1\nB=1", undefined, "expected NAME=value"],
    ["a missing closing quote", 'A="debian\nB=1', "debian", "the closing quote is missing"],
    ["a missing closing single quote", "A='debian\nB=1", "debian", "the closing quote is missing"],
    ["only a quote", 'A="\nB=1', "", "the closing quote is missing"],
    ["only a single quote", "A='\nB=1", "", "the closing quote is missing"],
    ["a quote that ends in a backslash", 'A="x\\\nB=1', "x\\", "the closing quote is missing"],
    ["an escaped closing quote", 'A="x\\"\nB=1', 'x"', "the closing quote is missing"],
    ["text after the closing quote", 'A="x"y\nB=1', "x", "text after the closing quote"],
    ["text after the closing single quote", "A='x'y\nB=1", "x", "text after the closing quote"],
  ])("continues after %s", (_, text, expected, message) => {
    const { values, problems } = parseAssignments(bytesOf(text));

    expect(values.get("A")).toBe(expected);
    expect(values.get("B")).toBe("1");
    expect(problems).toMatchObject({ count: 1, listed: [{ line: 1 }] });
    expect(problems.listed[0]?.message).toContain(message);
  });

  it("does not read a file that is too large", () => {
    const bytes = bytesOf(`A=${"x".repeat(maxReleaseFileBytes)}\n`);

    const { values, problems } = parseAssignments(bytes);

    expect(values.size).toBe(0);
    expect(problems.listed[0]?.message).toBe(`expected at most 1048576 bytes, found ${bytes.length}`);
  });
});
