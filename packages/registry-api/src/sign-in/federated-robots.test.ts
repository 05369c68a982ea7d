import { type OidcFault, type OidcServer, startOidcServer } from "@plimsoll/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { federatedTokens } from "../adapters/oidc/federated-tokens.ts";
import { invalidRequest } from "../errors.ts";
import { openTestRegistry } from "../fixtures/test-registry.ts";
import { openTokenService } from "../fixtures/test-tokens.ts";

const time = { now: Date.UTC(2026, 10, 21, 12) };
let server: OidcServer;
beforeAll(async () => {
  server = await startOidcServer({ algorithm: "ES256", now: () => time.now });
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.fault = undefined;
  server.asked.length = 0;
});

const robot = "acme+ci";
const path = "/organization/acme/robots/ci";
const job = { sub: "repo:acme/app:ref:refs/heads/main", aud: "localhost" };

async function open(ask = (url: string, init?: RequestInit) => fetch(url, init)) {
  const registry = await openTestRegistry();
  const ann = await registry.user("ann");
  await registry.organization("acme", { admin: [ann] });
  const owner = await registry.session(ann);
  await owner("PUT", path);
  await owner("POST", `${path}/federation`, [{ issuer: server.issuer, subject: job.sub }]);
  const service = openTokenService(
    registry,
    false,
    undefined,
    federatedTokens({ ask, cooldownMs: 0, patienceMs: 500 }),
  );
  const basic = (token: string) => `Basic ${Buffer.from(`${robot}:${token}`).toString("base64")}`;
  const signIn = (token: string) => service.ask(basic(token), "repository:acme/app:pull");
  return { registry, owner, service, signIn };
}

describe("robots with tokens of a CI system", () => {
  it.each(["localhost", "http://localhost"])(
    "sign in for the audience %s, and the usage log tells with which",
    async (aud) => {
      const { registry, signIn } = await open();
      await using _ = registry;

      const answer = await signIn(await server.issue({ ...job, aud }));

      expect([answer.status, answer.claims.sub]).toEqual([200, robot]);
      expect((await registry.usageLog()).at(-1)).toEqual({
        kind: "federated_robot_token_exchange",
        metadata: { robot, issuer: server.issuer, subject: job.sub },
      });
    },
  );

  const rows: readonly { fault?: OidcFault; claims?: object; says: string }[] = [
    { fault: "alg none", says: "algorithm" },
    { fault: "HS256 with the public key", says: "algorithm" },
    { fault: "unknown kid", says: "signed by no key" },
    { fault: "another's signature", says: "signature of the token is wrong" },
    { fault: "expired", says: "has expired" },
    { fault: "silent", says: "keys of the token's issuer could not be read" },
    { fault: "endless", says: "keys of the token's issuer could not be read" },
    { fault: "discovery of another", says: "keys of the token's issuer could not be read" },
    { claims: { aud: "other.example" }, says: "audience localhost or http://localhost" },
    { claims: { aud: undefined }, says: "audience localhost or http://localhost" },
    { claims: { exp: undefined }, says: "exp" },
    { claims: { sub: "repo:evil/app" }, says: "has no federation with issuer" },
    { claims: { iss: "https://other.example" }, says: "has no federation with issuer" },
  ];
  it.each(rows)("are refused: $fault $claims", async ({ fault, claims, says }) => {
    const { registry, signIn } = await open();
    await using _ = registry;
    server.fault = fault;

    const answer = await signIn(await server.issue({ ...job, ...claims }));

    expect(answer.status).toBe(401);
    expect(answer.body.errors[0].message).toContain(says);
  });

  it("cannot use a token past its time, and not after the federation has ended", async () => {
    const { registry, owner, signIn } = await open();
    await using _ = registry;
    const token = await server.issue(job);
    const before = await signIn(token);
    registry.time.now += 331_000;
    const past = await signIn(token);
    registry.time.now -= 331_000;
    await owner("DELETE", `${path}/federation`);

    const ended = await signIn(token);

    expect([before.status, past.status, ended.status]).toEqual([200, 401, 401]);
  });

  it("ask no issuer that the namespace has not named, and none at an internal address", async () => {
    const { registry, signIn } = await open(() => Promise.reject(invalidRequest("not on the public internet")));
    await using _ = registry;

    const unnamed = await signIn(await server.issue({ ...job, iss: `${server.issuer}/other` }));
    const internal = await signIn(await server.issue(job));

    expect(unnamed.status).toBe(401);
    expect(internal.body.errors[0].message).toContain("could not be read");
    expect(server.asked).toEqual([]);
  });

  it("get no refresh token, which would outlast the job", async () => {
    const { registry, service } = await open();
    await using _ = registry;
    const form = {
      grant_type: "password",
      access_type: "offline",
      service: "localhost",
      username: robot,
      password: await server.issue(job),
    };

    const answer = await service.app.inject({
      method: "POST",
      url: "/v2/auth",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: new URLSearchParams(form).toString(),
    });

    expect(answer.statusCode).toBe(200);
    expect(answer.json()).not.toHaveProperty("refresh_token");
  });
});

describe("robotFederationOperations", () => {
  it.each([
    { body: [{ issuer: "ftp://ci.example", subject: "job" }], says: "expected the address of an issuer" },
    { body: [{ issuer: "https://me@ci.example", subject: "job" }], says: "expected the address of an issuer" },
    { body: Array(2).fill({ issuer: "https://ci.example", subject: "job" }), says: "are there twice" },
    { body: [{ issuer: "https://ci.example" }], says: "subject" },
    {
      body: Array.from({ length: 51 }, (_, i) => ({ issuer: "https://ci.example", subject: `${i}` })),
      says: "at most 50",
    },
  ])("refuse $says", async ({ body, says }) => {
    const { registry, owner } = await open();
    await using _ = registry;

    const answer = await owner("POST", `${path}/federation`, body);

    expect(answer.status).toBe(400);
    expect(answer.body.detail).toContain(says);
  });

  it("refuse a robot that there is not", async () => {
    const { registry, owner } = await open();
    await using _ = registry;

    expect((await owner("GET", "/organization/acme/robots/none/federation")).status).toBe(400);
  });
});
