import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { memoryEngine } from "../fixtures/each-engine.ts";
import { openTestDistribution } from "../fixtures/test-distribution.ts";
import { BlobStoreError } from "../ports.ts";

const sizeBytes = 20_000_000;
const name = "/v2/alice/images";

/** A registry that takes little, and has no room for what is announced by sha512. */
function openSmall() {
  return openTestDistribution({
    engine: memoryEngine(),
    settings: { maxManifestBytes: 1000, maxBlobBytes: 10_000_000 },
    wrapBlobs: (blobs) => ({
      ...blobs,
      async append(uploadId, offset, source, options) {
        if (options.algorithm !== "sha512") return blobs.append(uploadId, offset, source, options);
        for await (const _ of source) throw new BlobStoreError("full", "there is no room");
        return 0;
      },
    }),
  });
}

describe("openBody", () => {
  it.each([
    { what: "a manifest is too large", request: `PUT ${name}/manifests/latest`, status: 413 },
    {
      what: "a blob is too large",
      request: `POST ${name}/blobs/uploads/?digest=sha256:${"0".repeat(64)}`,
      status: 413,
    },
    { what: "there is no room", request: `POST ${name}/blobs/uploads/?digest=sha512:${"0".repeat(128)}`, status: 507 },
    { what: "nobody may", request: "POST /v2/bob/images/blobs/uploads/", status: 401 },
  ])("leaves the connection to the next request where $what", async ({ request, status }) => {
    await using registry = await openSmall();
    const [host, port] = registry.host.split(":");
    const socket = connect(Number(port), host);
    const head = (what: string, more: string) =>
      `${what} HTTP/1.1\r\nHost: x\r\nAuthorization: Test alice\r\n${more}\r\n`;

    socket.write(
      head(request, `Content-Type: application/vnd.oci.image.manifest.v1+json\r\nContent-Length: ${sizeBytes}\r\n`),
    );
    socket.write(Buffer.alloc(sizeBytes));
    socket.write(head("GET /v2/", "Connection: close\r\n"));
    const answers = await text(socket);

    expect(answers.match(/HTTP\/1.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`, "HTTP/1.1 200"]);
  });
});
