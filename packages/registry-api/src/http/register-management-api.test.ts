import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../fixtures/test-registry.ts";

describe("registerManagementApi", () => {
  it.each([
    { method: "PATCH", path: "/messages", status: 405, allow: "GET, POST" },
    { method: "DELETE", path: "/messages", status: 405, allow: "GET, POST" },
    { method: "PUT", path: "/message/x", status: 405, allow: "DELETE" },
    { method: "HEAD", path: "/message/x", status: 405, allow: "DELETE" },
    { method: "PATCH", path: "/nothing", status: 404, allow: undefined },
    { method: "GET", path: "/nothing", status: 404, allow: undefined },
    { method: "GET", path: "/messages/", status: 200, allow: undefined },
    { method: "HEAD", path: "/messages", status: 200, allow: undefined },
    { method: "HEAD", path: "/user/apptoken", status: 401, allow: undefined },
  ] as const)("answers $method $path with $status", async ({ method, path, status, allow }) => {
    await using registry = await openTestRegistry();

    const answer = await registry.app.inject({ method, url: `/api/v1${path}` });

    expect(answer.statusCode).toBe(status);
    expect(answer.headers.allow).toBe(allow);
    expect(answer.headers["content-type"]).toMatch(/^application\/json/);
    if (method === "HEAD") expect(answer.body).toBe("");
    else if (status !== 200) expect(answer.json()).toMatchObject({ status, type: expect.stringMatching(/error/) });
  });

  it("lets pages of other sites ask what it takes", async () => {
    await using registry = await openTestRegistry();

    const answer = await registry.app.inject({ method: "OPTIONS", url: "/api/v1/messages" });

    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": expect.stringContaining("DELETE"),
      "access-control-allow-headers": expect.stringContaining("authorization"),
    });
  });
});
