import { createOutgoing } from "@plimsoll/registry-adapters/outgoing";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../../fixtures/test-registry.ts";

/** An upstream that wants Basic credentials, as `reader:right`, where it gives out tokens. */
function upstream(url: string, init: RequestInit = {}): Promise<Response> {
  const { authorization } = (init.headers ?? {}) as { authorization?: string };
  if (url === "https://open.example/v2/") return Promise.resolve(new Response("{}"));
  if (url === "https://auth.example/token?service=closed") {
    return Promise.resolve(
      new Response(null, { status: authorization === `Basic ${btoa("reader:right")}` ? 200 : 401 }),
    );
  }
  if (url === "https://closed.example/v2/") {
    const challenge = 'Bearer realm="https://auth.example/token",service="closed"';
    return Promise.resolve(new Response(null, { status: 401, headers: { "www-authenticate": challenge } }));
  }
  if (url === "https://lying.example/v2/") {
    const headers = { "www-authenticate": 'Bearer realm="ftp://nowhere.example/"' };
    return Promise.resolve(new Response(null, { status: 401, headers }));
  }
  return Promise.reject(new Error("no route"));
}

async function open() {
  const registry = await openTestRegistry({
    ports: { outgoing: createOutgoing({ check: async () => {}, send: upstream }) },
  });
  const alice = await registry.user("alice");
  await registry.organization("acme", { admin: [alice] });
  return { registry, call: await registry.session(alice) };
}

const path = "/organization/acme/proxycache";

describe("proxyCacheOperations", () => {
  it("make an organization a cache, and let it be one no longer", async () => {
    const { registry: owned, call } = await open();
    await using registry = owned;
    const secret = { upstream_registry_username: "reader", upstream_registry_password: "right-password" };

    const none = await call("GET", path);
    const created = await call("POST", path, { upstream_registry: "docker.io/library", ...secret });
    const shown = await call("GET", path);
    const twice = await call("POST", path, { upstream_registry: "docker.io" });
    const deleted = await call("DELETE", path);

    expect(none.body).toEqual({ upstream_registry: "", expiration_s: "", insecure: "" });
    expect(created).toMatchObject({ status: 201, body: "Created" });
    expect(shown.body).toEqual({ upstream_registry: "docker.io/library", expiration_s: 86_400, insecure: false });
    expect(twice.status).toBe(400);
    expect(deleted.status).toBe(204);
    expect((await call("DELETE", path)).status).toBe(404);
    expect(await registry.usageLog()).toEqual([
      { kind: "create_proxy_cache_config", metadata: { upstream_registry: "docker.io/library" } },
      { kind: "delete_proxy_cache_config", metadata: {} },
    ]);
  });

  it.each([
    { body: { upstream_registry: "open.example" }, status: 202, answer: "Valid" },
    { body: { upstream_registry: "closed.example" }, status: 202, answer: "Anonymous" },
    {
      body: { upstream_registry: "closed.example", upstream_registry_username: "", upstream_registry_password: "" },
      status: 202,
      answer: "Anonymous",
    },
    {
      body: { upstream_registry: "closed.example", upstream_registry_username: null },
      status: 202,
      answer: "Anonymous",
    },
    {
      body: {
        upstream_registry: "closed.example/library",
        upstream_registry_username: "reader",
        upstream_registry_password: "right",
      },
      status: 202,
      answer: "Valid",
    },
    {
      body: {
        upstream_registry: "closed.example",
        upstream_registry_username: "reader",
        upstream_registry_password: "wrong",
      },
      status: 400,
      answer: { detail: expect.stringMatching(/Failed login/) },
    },
    {
      body: { upstream_registry: "gone.example" },
      status: 400,
      answer: { detail: expect.stringMatching(/Failed to reach/) },
    },
    {
      body: { upstream_registry: "lying.example", upstream_registry_username: "reader" },
      status: 400,
      answer: { detail: expect.stringMatching(/Failed to reach .*nowhere/) },
    },
    { body: { upstream_registry: "http://x" }, status: 400, answer: { detail: expect.stringMatching(/scheme/) } },
    { body: {}, status: 400, answer: { detail: expect.stringMatching(/upstream_registry/) } },
  ])("ask $body.upstream_registry and answer $status", async ({ body, status, answer }) => {
    const { registry: owned, call } = await open();
    await using _ = owned;

    const result = await call("POST", "/organization/acme/validateproxycache", body);

    expect(result.status).toBe(status);
    if (typeof answer === "string") expect(result.body).toBe(answer);
    else expect(result.body).toMatchObject(answer);
  });
});
