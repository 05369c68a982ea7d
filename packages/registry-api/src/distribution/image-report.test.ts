import { expect } from "vitest";
import { errorOf, onEachEngine } from "../fixtures/each-engine.ts";

const name = "alice/images";

onEachEngine("image reports", (test) => {
  test("for callers who may pull the image, with the state of its scan", async ({ send, pushImage, registry }) => {
    await pushImage(name, "1");
    await registry.user("bob");

    const answer = await send("GET", `${name}/_plimsoll/report/1`);

    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ digest: expect.stringMatching(/^sha256:/), status: "queued" });
    expect(await errorOf(await send("GET", `${name}/_plimsoll/report/2`))).toBe("404 MANIFEST_UNKNOWN");
    expect(await errorOf(await send("GET", `${name}/_plimsoll/report/1`, { as: "bob" }))).toBe("401 UNAUTHORIZED");
    expect(await errorOf(await send("GET", `${name}/_plimsoll/report/1`, { as: "" }))).toBe("401 UNAUTHORIZED");
    expect(await errorOf(await send("POST", `${name}/_plimsoll/report/1`))).toBe("405 UNSUPPORTED");
  });

  test("none where the scanner is off", async ({ send, pushImage, registry }) => {
    await pushImage(name, "1");
    Object.assign(registry.settings.features, { securityScanner: false });

    expect(await errorOf(await send("GET", `${name}/_plimsoll/report/1`))).toBe("404 UNSUPPORTED");
  });
});
