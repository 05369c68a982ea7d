import { describe, expect, it } from "vitest";
import { limitBody, readBody } from "./limit-body.ts";

const rows: readonly (readonly [chunks: readonly string[], maxBytes: number, read: string | undefined])[] = [
  [[], 0, ""],
  [["abc"], 3, "abc"],
  [["ab", "c"], 3, "abc"],
  [["ab", "cd"], 3, undefined],
  [["abcd"], 3, undefined],
  [["a"], 0, undefined],
];

describe("readBody", () => {
  it.each(rows)("of %j with at most %d bytes is %j", async (chunks, maxBytes, read) => {
    const body = readBody(bodyOf(chunks), { maxBytes, tooLarge: () => new RangeError("too much") });

    if (read === undefined) await expect(body).rejects.toThrow("too much");
    else expect((await body).toString()).toBe(read);
  });

  it("copies chunks whose memory is reused", async () => {
    const body = await readBody(inOneBuffer(["ab", "cd"]), { maxBytes: 4, tooLarge: () => new RangeError() });

    expect(body.toString()).toBe("abcd");
  });
});

describe("limitBody", () => {
  it("yields nothing of the chunk that exceeds the limit, and ends the body", async () => {
    const given: string[] = [];
    let isEnded = false;
    const body = limitBody(
      bodyOf(["ab", "cd", "ef"], () => {
        isEnded = true;
      }),
      { maxBytes: 3, tooLarge: () => new RangeError("too much") },
    );

    await expect(
      (async () => {
        for await (const chunk of body) given.push(Buffer.from(chunk).toString());
      })(),
    ).rejects.toThrow("too much");

    expect(given).toEqual(["ab"]);
    expect(isEnded).toBe(true);
  });
});

async function* bodyOf(chunks: readonly string[], onEnd = () => {}): AsyncGenerator<Uint8Array> {
  try {
    for (const chunk of chunks) yield Buffer.from(chunk);
  } finally {
    onEnd();
  }
}

async function* inOneBuffer(chunks: readonly string[]): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.alloc(2);
  for (const chunk of chunks) {
    buffer.write(chunk);
    yield buffer;
  }
}
