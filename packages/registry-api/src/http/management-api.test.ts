import { gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";
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

  it.each([
    { accepted: undefined, sent: undefined, read: (bytes: Buffer) => bytes },
    { accepted: "identity", sent: undefined, read: (bytes: Buffer) => bytes },
    { accepted: "br", sent: undefined, read: (bytes: Buffer) => bytes },
    { accepted: "*;q=0", sent: undefined, read: (bytes: Buffer) => bytes },
    { accepted: "gzip, deflate, br", sent: "gzip", read: gunzipSync },
    { accepted: "gzip, deflate, br, zstd", sent: "zstd", read: zstdDecompressSync },
    { accepted: "gzip;q=0, deflate", sent: "deflate", read: inflateSync },
  ])("sends a long result in the encoding that is accepted: $accepted", async ({ accepted, sent, read }) => {
    await using registry = await openTestRegistry();
    const url = "/api/v1/discovery";
    const whole = await registry.app.inject({ url });

    const answer = await registry.app.inject({
      url,
      headers: accepted === undefined ? {} : { "accept-encoding": accepted },
    });

    expect(answer.headers).toMatchObject({ vary: "Accept-Encoding" });
    expect(answer.headers["content-encoding"]).toBe(sent);
    expect(read(answer.rawPayload).equals(whole.rawPayload)).toBe(true);
    if (sent !== undefined) expect(answer.rawPayload.length).toBeLessThan(whole.rawPayload.length / 4);
  });

  it("sends a short result as it is", async () => {
    await using registry = await openTestRegistry();

    const answer = await registry.app.inject({ url: "/api/v1/messages", headers: { "accept-encoding": "gzip" } });

    expect(answer.headers).not.toHaveProperty("content-encoding");
    expect(answer.json()).toEqual({ messages: [] });
  });

  it.each([
    ["/user/apptoken/no", "/user/apptoken"],
    ["/repository/ann/app/build/no/logs", "/repository/ann/app/build"],
    ["/repository/ann/app/trigger/no", "/repository/ann/app/trigger"],
    ["/organization/org/applications/no", "/organization/org/applications"],
    ["/organization/org/quota/no?a=b", "/organization/org/quota"],
  ])("says of %s, one of a list, that GET %s lists them", async (path, list) => {
    await using registry = await openTestRegistry();
    const call = await registry.session(await registry.user("ann"));
    await call("POST", "/repository", { repository: "app", visibility: "private", description: "" });
    await call("POST", "/organization/", { name: "org" });

    const { status, body } = await call("GET", path);

    expect({ status, body }).toMatchObject({
      status: 404,
      body: { detail: expect.stringMatching(`: GET /api/v1${list} lists those that there are$`) },
    });
  });
});
