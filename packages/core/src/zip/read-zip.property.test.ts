import { makeZip, zipSource } from "@plimsoll/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listZip } from "./list-zip.ts";
import { openZip } from "./read-zip.ts";

async function readAll(bytes: Uint8Array): Promise<void> {
  const source = zipSource(bytes);
  const read = openZip(source);
  for (const entry of await listZip(source)) await read(entry);
}

describe("openZip", () => {
  it("reads whatever was written", async () => {
    const anyFiles = fc.dictionary(fc.string({ minLength: 1, maxLength: 20 }), fc.uint8Array({ maxLength: 3000 }));
    await fc.assert(
      fc.asyncProperty(anyFiles, fc.constantFrom("stored", "deflated"), async (given, method) => {
        const source = zipSource(makeZip(given, { method }));
        const read = openZip(source);

        for (const entry of await listZip(source)) expect(await read(entry)).toEqual(given[entry.name]);
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  it("ends for damaged archives too", async () => {
    const whole = makeZip({ "a.json": '{"a":1}', "empty.json": "", "d/b.json": "b".repeat(5000) }, { zip64: true });
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), async (at, value) => {
        const bytes = Uint8Array.from(whole);
        bytes[at] = value;

        await readAll(bytes).catch((error) => expect(error).toMatchObject({ code: "malformed_archive" }));
      }),
      { numRuns: 200, seed: 1 },
    );
  });
});
