import { describe, expect, it } from "vitest";
import { checkTexts, isPathText } from "./check-texts.ts";

describe("checkTexts", () => {
  it.each([
    { value: "# Markdown\r\n\tcode\n", message: undefined },
    { value: { näme: ["\u{1f433} x", 1, null, true] }, message: undefined },
    { value: "a\0b", message: "body: a string contains the character U+0000" },
    { value: ["\u001b[2J"], message: "body: a string contains the character U+001B" },
    { value: { a: { b: "\u007f" } }, message: "body: a string contains the character U+007F" },
    { value: { a: "\u0085" }, message: "body: a string contains the character U+0085" },
    { value: { a: "half \ud800" }, message: "body: a string contains the character U+D800" },
    { value: { "a\0": 1 }, message: "body: a string contains the character U+0000" },
  ])("says $message of $value", ({ value, message }) => {
    const found = () => checkTexts(value, "body");

    if (message === undefined) expect(found).not.toThrow();
    else expect(found).toThrow(message);
  });
});

describe("isPathText", () => {
  it.each([
    { text: "library", is: true },
    { text: "a".repeat(511), is: true },
    { text: "a".repeat(512), is: false },
    { text: "a\nb", is: false },
    { text: "a\tb", is: false },
    { text: "a\0", is: false },
    { text: "\udfff", is: false },
  ])("is $is for $text", ({ text, is }) => {
    expect(isPathText(text)).toBe(is);
  });
});
