import { expect } from "vitest";
import { beginUpload, errorOf, headersOf, onEachEngine } from "../fixtures/each-engine.ts";
import { digestOf } from "../fixtures/test-distribution.ts";

const name = "alice/images";

onEachEngine("uploads", (test) => {
  test("take chunks in their order, the last with the PUT", async ({ send, ...world }) => {
    const location = await beginUpload({ send, ...world });
    const chunk = (range: string, body: string) =>
      send("PATCH", location, { headers: { "content-range": range }, body });

    expect((await chunk("0-3", "0123")).headers.get("range")).toBe("0-3");
    const ahead = await chunk("6-7", "67");
    const back = await chunk("0-3", "0123");
    const status = await send("GET", location);
    await chunk("4-5", "45");
    const headers = { "content-range": "6-9" };
    const put = await send("PUT", `${location}?digest=${digestOf("0123456789")}`, { headers, body: "6789" });

    for (const refused of [ahead, back]) {
      expect(headersOf(refused, "location", "range")).toEqual([location, "0-3"]);
      expect(await errorOf(refused)).toBe("416 RANGE_INVALID");
    }
    expect([status.status, ...headersOf(status, "location", "range")]).toEqual([204, location, "0-3"]);
    expect(put.status).toBe(201);
    expect(await (await send("GET", `${name}/blobs/${digestOf("0123456789")}`)).text()).toBe("0123456789");
  });

  test("refuse what is no chunk", async ({ send, ...world }) => {
    const location = await beginUpload({ send, ...world });
    const patch = (range: string) => send("PATCH", location, { headers: { "content-range": range }, body: "0123" });

    expect(await errorOf(await patch("a-b"))).toBe("400 INVALID_REQUEST");
    expect(await errorOf(await patch("3-0"))).toBe("400 INVALID_REQUEST");
    expect(await errorOf(await patch("0-7"))).toBe("400 SIZE_INVALID");
    expect((await send("GET", location)).headers.get("range")).toBe("0-0");
  });

  test("refuse what is not what its digest says, and end", async ({ send, ...world }) => {
    const location = await beginUpload({ send, ...world });

    expect(await errorOf(await send("PUT", location, { body: "content" }))).toBe("400 DIGEST_INVALID");
    expect(await errorOf(await send("PUT", `${location}?digest=sha256:12`))).toBe("400 DIGEST_INVALID");
    const put = await send("PUT", `${location}?digest=${digestOf("other")}`, { body: "content" });

    expect(await errorOf(put)).toBe("400 DIGEST_INVALID");
    expect(await errorOf(await send("GET", location))).toBe("404 BLOB_UPLOAD_UNKNOWN");
    expect((await send("HEAD", `${name}/blobs/${digestOf("other")}`)).status).toBe(404);
  });

  test("can be cancelled", async ({ send, blobs, ...world }) => {
    const location = await beginUpload({ send, blobs, ...world });
    await send("PATCH", location, { body: "content" });

    expect((await send("DELETE", location)).status).toBe(204);

    expect(await errorOf(await send("PATCH", location, { body: "more" }))).toBe("404 BLOB_UPLOAD_UNKNOWN");
    expect(await blobs.countReceived(location.split("/").at(-1) ?? "")).toBe(0);
  });

  test("belong to their repository", async ({ send, pushBlob, ...world }) => {
    const location = await beginUpload({ send, pushBlob, ...world });
    await pushBlob("alice/other", "content");

    const elsewhere = location.replace("images", "other");

    expect(await errorOf(await send("GET", elsewhere))).toBe("404 BLOB_UPLOAD_UNKNOWN");
  });

  test("are not needed for what another repository has, if the caller may read it", async ({
    send,
    pushBlob,
    registry,
  }) => {
    const digest = await pushBlob("alice/source", "content");
    await registry.user("bob");
    const mount = (query: string, as = "alice", to = name) => send("POST", `${to}/blobs/uploads/?${query}`, { as });

    const mounted = await mount(`mount=${digest}&from=alice/source`);
    const rows = [
      await mount(`mount=${digestOf("missing")}&from=alice/source`),
      await mount(`mount=${digest}`),
      await mount(`mount=${digest}&from=alice/missing`),
      await mount(`mount=${digest}&from=alice/source`, "bob", "bob/images"),
      await mount(`mount=${digest}&from=alice/%22`, `alice ${name} push`),
      await mount(`mount=${digest}&from=alice/source`, `alice ${name} push`), // a token that does not cover the source
    ];

    const first = await mount(`mount=${digest}&from=alice/source`, "");
    expect([first.status, first.headers.get("www-authenticate")]).toEqual([
      401,
      `Bearer realm="test",service="test",scope="repository:${name}:pull,push repository:alice/source:pull"`,
    ]);
    const odd = await mount(`mount=${digest}&from=alice/%22`, "");
    expect(odd.headers.get("www-authenticate")).toMatch(/scope="repository:alice\/\w+:pull,push"$/);
    expect([mounted.status, mounted.headers.get("location")]).toEqual([201, `/v2/${name}/blobs/${digest}`]);
    expect((await send("HEAD", `${name}/blobs/${digest}`)).status).toBe(200);
    expect(rows.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 202]);
  });

  test("of the same blob by two at once make one blob", async ({ send, store, ...world }) => {
    const content = "x".repeat(300_000);
    const locations = await Promise.all(Array.from({ length: 4 }, () => beginUpload({ send, store, ...world })));

    const puts = await Promise.all(
      locations.map((location) => send("PUT", `${location}?digest=${digestOf(content)}`, { body: content })),
    );

    expect(puts.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(await store.db.selectFrom("blob").select("digest").execute()).toEqual([{ digest: digestOf(content) }]);
    expect(await store.db.selectFrom("upload").select("id").execute()).toEqual([]);
  });
});
