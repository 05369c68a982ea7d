import { gzipSync } from "node:zlib";
import { testArrivals } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../fixtures/test-registry.ts";

const body = JSON.stringify({ username: "ann", password: "wrong" });
const type = { "content-type": "application/json" };

describe.each(testArrivals)("the body of a request that comes over $title", (arrival) => {
  it.each([
    { encoding: "gzip", sent: gzipSync(body) },
    { encoding: "gzip", sent: body },
    { encoding: "identity, br", sent: body },
  ])("is refused where it is said to be encoded as $encoding", async ({ encoding, sent }) => {
    await using registry = await openTestRegistry();
    registry.sender.arrival = arrival;

    const { status, text } = await registry.sender.send({
      method: "POST",
      url: "/api/v1/signin",
      headers: { ...type, "content-encoding": encoding },
      body: sent,
    });

    expect(status).toBe(415);
    expect(JSON.parse(text)).toMatchObject({
      status: 415,
      title: "unsupported_media_type",
      type: expect.stringMatching(/\/api\/v1\/error\/unsupported_media_type$/),
      detail: `Content-Encoding: expected identity, found ${encoding}`,
    });
  });

  it.each(["identity", "Identity", ""])("is read where its encoding is %j", async (encoding) => {
    await using registry = await openTestRegistry();
    registry.sender.arrival = arrival;
    const headers = { ...type, "content-encoding": encoding };

    const { status } = await registry.sender.send({ method: "POST", url: "/api/v1/signin", headers, body });

    expect(status).toBe(403); // a wrong password: it was read
  });
});
