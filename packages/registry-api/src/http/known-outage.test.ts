import { BlobStoreError } from "@plimsoll/registry/ports/blob-store";
import { StoreError } from "@plimsoll/store";
import { describe, expect, it } from "vitest";
import { thrownError } from "./thrown-error.ts";

/** The log lines of the server for each error. */
function logged(thrown: unknown, raw: object = {}): readonly unknown[] {
  const lines: unknown[] = [];
  const log = { error: (line: unknown) => void lines.push(line) };
  thrownError(thrown, { id: "1", log: log as never, raw: raw as never });
  return lines;
}

describe("thrownError", () => {
  it.each([
    [
      "an outage of the blob store, which is logged once by the code that opened it",
      new BlobStoreError("unavailable", "down"),
      0,
    ],
    ["a blob store without room", new BlobStoreError("full", "no room"), 0],
    ["an outage of the database", new StoreError("unavailable", "down"), 0],
    ["a blob that is missing from the store", new BlobStoreError("not_found", "gone"), 1],
    ["a failure of its own", new Error("oops"), 1],
  ])("logs the expected number of lines for %s", (_, thrown, lines) => {
    expect(logged(thrown)).toHaveLength(lines);
  });

  it("logs nothing for a client that has gone", () => {
    expect(logged(new Error("write EPIPE"), { socket: { destroyed: true } })).toEqual([]);
    expect(logged(new Error("aborted"), { stream: { aborted: true } })).toEqual([]);
  });
});
