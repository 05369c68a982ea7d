import { expect } from "vitest";
import { errorOf, headersOf, onEachEngine } from "../fixtures/each-engine.ts";

const name = "alice/images";

onEachEngine("registerDistribution", (test) => {
  test("greets those who are known and tells others how to show who they are", async ({ send }) => {
    const known = await send("GET", "/v2/");
    const unknown = await send("GET", "/v2/", { as: "" });

    expect([known.status, await known.json()]).toEqual([200, {}]);
    expect(headersOf(known, "docker-distribution-api-version")).toEqual(["registry/2.0"]);
    expect(headersOf(unknown, "www-authenticate")).toEqual(['Bearer realm="test",service="test"']);
    expect(await errorOf(unknown)).toBe("401 UNAUTHORIZED");
  });

  test("are refused where they are not of the protocol", async ({ send }) => {
    expect(await errorOf(await send("GET", "/v2/alice/images"))).toBe("404 NAME_UNKNOWN");
    expect(await errorOf(await send("GET", "/v2/Alice/Images/tags/list"))).toBe("400 NAME_INVALID");
    expect(await errorOf(await send("GET", "/v2/alice/a%2fb/tags/list"))).toBe("404 NAME_UNKNOWN");
    expect((await send("GET", "/v2/alice/%zz/tags/list")).status).toBe(400);
    expect(await errorOf(await send("GET", `/v2/alice/${"a".repeat(300)}/tags/list`))).toBe("400 NAME_INVALID");
    expect(await errorOf(await send("GET", "/v2/alice/new/tags/list"))).toBe("404 NAME_UNKNOWN");
    const wrong = await send("PATCH", "/v2/alice/images/tags/list");
    expect(wrong.headers.get("allow")).toBe("GET");
    expect(await errorOf(wrong)).toBe("405 UNSUPPORTED");
  });

  test("see what they may and are told what they would have to show", async ({ send, pushImage, store, registry }) => {
    await pushImage(name, "latest");
    await registry.user("bob");
    const get = (as: string) => send("GET", `${name}/manifests/latest`, { as });
    const push = (as: string) => send("POST", `${name}/blobs/uploads/`, { as });

    const stranger = await get("bob");
    expect(headersOf(stranger, "www-authenticate")).toEqual([
      `Bearer realm="test",service="test",scope="repository:${name}:pull"`,
    ]);
    expect(await errorOf(stranger)).toBe("401 UNAUTHORIZED");
    expect((await get("")).status).toBe(401);
    expect((await push("bob")).headers.get("www-authenticate")).toContain(`repository:${name}:pull,push`);
    expect((await send("POST", "alice/new/blobs/uploads/", { as: "bob" })).status).toBe(401);
    expect((await send("POST", "nobody/new/blobs/uploads/")).status).toBe(401);
    await store.db.updateTable("image_repository").set({ visibility: "public" }).execute();
    expect([(await get("bob")).status, (await get("")).status, (await push("bob")).status]).toEqual([200, 200, 401]);
  });

  test("are held to what their token is for", async ({ send, pushImage }) => {
    await pushImage(name, "latest");
    const as = `alice ${name} pull`;

    expect((await send("GET", `${name}/manifests/latest`, { as })).status).toBe(200);
    expect((await send("POST", `${name}/blobs/uploads/`, { as })).status).toBe(401);
    expect((await send("POST", "alice/other/blobs/uploads/", { as })).status).toBe(401);
  });

  test("push nothing to what is read-only or a mirror", async ({ send, pushImage, store }) => {
    await pushImage(name, "latest");

    for (const state of ["READ_ONLY", "MIRROR"] as const) {
      await store.db.updateTable("image_repository").set({ state }).execute();
      expect((await send("POST", `${name}/blobs/uploads/`)).status).toBe(401);
      expect((await send("DELETE", `${name}/manifests/latest`)).status).toBe(401);
      expect((await send("GET", `${name}/manifests/latest`)).status).toBe(200);
    }
  });
});
