import { gzipSync } from "node:zlib";
import { testArrivals } from "@plimsoll/testing";
import { Compile } from "typebox/compile";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../fixtures/test-registry.ts";
import { registryOperations } from "../operations.ts";
import { operationsIn } from "../reference-profile/compatibility.ts";
import { requestReader } from "./read-request.ts";

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

describe.each(["contract", "reference"] as const)("requestReader of each operation in the profile %s", (profile) => {
  const operations = operationsIn(profile, registryOperations).filter(({ body }) => body !== undefined);

  it.each(operations)("refuses a missing body of $id, or reads one that its schema accepts", (operation) => {
    for (const missing of [undefined, Buffer.alloc(0)]) {
      const read = () => requestReader(operation).body(missing, {});

      const result = resultOf(read);

      if (result === "refused") expect(read).toThrow(/^Missing JSON body$/);
      else expect(Compile(operation.body ?? {}).Check(result)).toBe(true);
    }
  });
});

function resultOf(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return "refused";
  }
}
