import { expect } from "vitest";
import { errorOf, headersOf, onEachEngine } from "../fixtures/each-engine.ts";
import { digestOf } from "../fixtures/test-distribution.ts";

const name = "alice/images";

onEachEngine("blobs", (test) => {
  test("are given back whole", async ({ send, pushBlob }) => {
    const digest = await pushBlob(name, "what it holds");

    const head = await send("HEAD", `${name}/blobs/${digest}`);
    const get = await send("GET", `${name}/blobs/${digest}`);

    for (const response of [head, get]) {
      expect(response.status).toBe(200);
      expect(headersOf(response, "docker-content-digest", "content-length", "content-type", "accept-ranges")).toEqual([
        digest,
        "13",
        "application/octet-stream",
        "bytes",
      ]);
      expect(response.headers.get("cache-control")).toContain("max-age=31536000");
    }
    expect([await head.text(), await get.text()]).toEqual(["", "what it holds"]);
  });

  test("are not sent to clients that have them", async ({ send, pushBlob }) => {
    const digest = await pushBlob(name, "what it holds");

    const response = await send("GET", `${name}/blobs/${digest}`, { headers: { "if-none-match": `"${digest}"` } });

    expect(response.status).toBe(304);
  });

  test("are given in parts", async ({ send, pushBlob }) => {
    const digest = await pushBlob(name, "0123456789");
    const rows = [
      ["bytes=2-4", 206, "234", "bytes 2-4/10"],
      ["bytes=5-", 206, "56789", "bytes 5-9/10"],
      ["bytes=-3", 206, "789", "bytes 7-9/10"],
      ["bytes=-30", 206, "0123456789", "bytes 0-9/10"],
      ["bytes=8-30", 206, "89", "bytes 8-9/10"],
      ["bytes=10-12", 416, "", "bytes */10"],
      ["bytes=5-3", 416, "", "bytes */10"],
      ["bytes=-0", 416, "", "bytes */10"],
      ["bytes=0-1,4-5", 200, "0123456789", null],
      ["lines=1-2", 200, "0123456789", null],
    ] as const;

    for (const [range, status, text, contentRange] of rows) {
      const response = await send("GET", `${name}/blobs/${digest}`, { headers: { range } });
      expect([range, response.status, await response.text(), response.headers.get("content-range")]).toEqual([
        range,
        status,
        text,
        contentRange,
      ]);
    }
  });

  test("are unknown where they are not linked, or are none", async ({ send, pushBlob }) => {
    const digest = await pushBlob(name, "content");
    await pushBlob("alice/other", "something else");

    expect(await errorOf(await send("GET", `alice/other/blobs/${digest}`))).toBe("404 BLOB_UNKNOWN");
    expect(await errorOf(await send("GET", `${name}/blobs/sha256:baddigeststring`))).toBe("400 DIGEST_INVALID");
    expect((await send("HEAD", `${name}/blobs/${digestOf("other")}`)).status).toBe(404);
  });

  test("can be deleted unless a manifest needs them", async ({ send, pushBlob, pushImage }) => {
    const digest = await pushBlob(name, "content");
    const { layer } = await pushImage(name, "latest");

    expect((await send("DELETE", `${name}/blobs/${digest}`)).status).toBe(202);
    expect((await send("HEAD", `${name}/blobs/${digest}`)).status).toBe(404);
    expect(await errorOf(await send("DELETE", `${name}/blobs/${layer}`))).toBe("405 UNSUPPORTED");
  });
});
