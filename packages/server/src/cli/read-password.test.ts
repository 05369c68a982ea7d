import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { UsageError } from "./exit-code.ts";
import { readPassword } from "./read-password.ts";

const bytes = Buffer.from("pässwörd\n");

describe("readPassword", () => {
  it.each([
    ["one chunk", [bytes]],
    ["chunks that end within a character", [...bytes].map((byte) => Buffer.from([byte]))],
    ["text", ["päss", "wörd\r\n"]],
  ])("reads %s without the line end", async (_, chunks) => {
    expect(await readPassword(Readable.from(chunks))).toBe("pässwörd");
  });

  it("rejects a text that is too long", async () => {
    await expect(readPassword(Readable.from([Buffer.alloc(65_537, "x")]))).rejects.toBeInstanceOf(UsageError);
  });
});
