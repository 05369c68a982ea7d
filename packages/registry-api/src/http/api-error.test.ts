import { BlobStoreError } from "@plimsoll/registry/ports/blob-store";
import { StoreError } from "@plimsoll/store";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../fixtures/test-registry.ts";
import { thrownError } from "./api-error.ts";

describe("getErrorDescription", () => {
  it.each([
    "downstream_issue",
    "exceeds_license",
    "expired_token",
    "external_service_timeout",
    "fresh_login_required",
    "insufficient_scope",
    "internal_error",
    "invalid_request",
    "invalid_response",
    "invalid_token",
    "not_found",
    "precondition_failed",
    "read_only",
    "tag_immutable",
    "token_rotation_failed",
    "too_large",
    "too_many_requests",
    "unavailable",
    "unsupported_media_type",
  ])("tells every caller what %s means", async (code) => {
    await using registry = await openTestRegistry({ features: { anonymousAccess: false } });

    const { status, body } = await registry.anonymous("GET", `/error/${code}`);

    expect(status).toBe(200);
    expect(body).toEqual({
      type: `http://localhost/api/v1/error/${code}`,
      title: code,
      description: expect.stringMatching(/^[A-Z].*\.$/),
    });
  });

  it("knows no other code", async () => {
    await using registry = await openTestRegistry();

    expect(await registry.anonymous("GET", "/error/toString")).toMatchObject({
      status: 404,
      body: { title: "not_found", type: "http://localhost/api/v1/error/not_found" },
    });
  });
});

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
