import { StoreError } from "@plimsoll/store";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../fixtures/test-registry.ts";

describe("registerManagementApi", () => {
  it("refuses changes that the database does not take, and says nothing of where that is", async () => {
    const full = new StoreError("disk_full", "/data/plimsoll.db cannot grow: the disk is full");
    await using registry = await openTestRegistry({
      wrapStore: (store) => ({ ...store, transaction: () => Promise.reject(full) }),
    });
    const call = await registry.session(await registry.user("ann"));

    const answer = await call("PUT", "/user/robots/ci", {});

    expect(answer).toMatchObject({ status: 503, headers: { "retry-after": "60" }, body: { title: "read_only" } });
    expect(JSON.stringify(answer.body)).not.toContain("/data");
  });

  it.each([
    ["a refusal", "/repository/nope/x", 401],
    ["an address that is none", "/nothing", 404],
  ])("names the request in %s, as the log does", async (_, path, status) => {
    const lines: string[] = [];
    await using registry = await openTestRegistry({ log: { write: (line) => void lines.push(line) } });

    const answer = await registry.app.inject({ url: `/api/v1${path}` });

    expect(answer.statusCode).toBe(status);
    const logged = lines.map((line) => JSON.parse(line).reqId).filter((id) => id !== undefined);
    expect(logged).toContain(answer.headers["x-request-id"]);
  });
});
