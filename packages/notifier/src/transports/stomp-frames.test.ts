import { describe, expect, it } from "vitest";
import { readFrames, type StompFrame } from "./stomp-frames.ts";

async function framesOf(...chunks: readonly string[]): Promise<StompFrame[]> {
  async function* stream() {
    for (const chunk of chunks) yield Buffer.from(chunk, "latin1");
  }
  const frames: StompFrame[] = [];
  for await (const found of readFrames(stream(), { maxBytes: 1_000 })) frames.push(found);
  return frames;
}

describe("readFrames", () => {
  it.each<[string, readonly string[], readonly StompFrame[]]>([
    ["nothing", [], []],
    ["heart-beats alone", ["\n\r\n\n"], []],
    ["a frame", ["RECEIPT\nreceipt-id:1\n\n\0"], [{ command: "RECEIPT", headers: { "receipt-id": "1" }, body: "" }]],
    ["CRLF", ["RECEIPT\r\na:1\r\n\r\n\0\r\n"], [{ command: "RECEIPT", headers: { a: "1" }, body: "" }]],
    ["no header", ["ERROR\n\noops\0"], [{ command: "ERROR", headers: {}, body: "oops" }]],
    [
      "a body with NUL",
      ["MESSAGE\ncontent-length:3\n\na\0b\0"],
      [{ command: "MESSAGE", headers: { "content-length": "3" }, body: "a\0b" }],
    ],
    ["escapes", ["ERROR\na\\cb:\\\\ \\n\\r\n\n\0"], [{ command: "ERROR", headers: { "a:b": "\\ \n\r" }, body: "" }]],
    [
      "no escapes in CONNECTED",
      ["CONNECTED\na:\\c:\n\n\0"],
      [{ command: "CONNECTED", headers: { a: "\\c:" }, body: "" }],
    ],
    ["the first of two headers", ["ERROR\na:1\na:2\n\n\0"], [{ command: "ERROR", headers: { a: "1" }, body: "" }]],
    ["an empty value", ["ERROR\na:\n\n\0"], [{ command: "ERROR", headers: { a: "" }, body: "" }]],
    [
      "two frames in odd pieces",
      ["REC", "EIPT\na:", "1\n", "\n", "\0\nERROR\n\n", "\0"],
      [
        { command: "RECEIPT", headers: { a: "1" }, body: "" },
        { command: "ERROR", headers: {}, body: "" },
      ],
    ],
  ])("reads %s", async (_, chunks, frames) => {
    expect(await framesOf(...chunks)).toEqual(frames);
  });

  it.each([
    ["a command that is none", "receipt\n\n\0", /expected a STOMP command, found "receipt"/],
    ["a header without a colon", "ERROR\noops\n\n\0", /expected a STOMP header, found "oops"/],
    ["a header without a name", "ERROR\n:oops\n\n\0", /expected a STOMP header/],
    ["an unknown escape", "ERROR\na:\\t\n\n\0", /found \\t/],
    ["half an escape", "ERROR\na:b\\\n\n\0", /found \\/],
    ["a length that is none", "ERROR\ncontent-length:-1\n\n\0", /expected a content-length/],
    ["a length that lies", "ERROR\ncontent-length:1\n\nab\0", /expected NUL after a body of 1 bytes/],
    ["an end within a frame", "ERROR\na:1\n", /the end of the stream/],
    ["an end within a body", "ERROR\ncontent-length:9\n\nab", /the end of the stream/],
    ["a frame without end", `ERROR\n\n${"a".repeat(2_000)}`, /at most 1000 bytes/],
  ])("refuses %s", async (_, text, message) => {
    await expect(framesOf(text)).rejects.toThrow(message);
  });
});
