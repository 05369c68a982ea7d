import { invalidRequest } from "@plimsoll/registry/errors";
import { federatedTokens } from "@plimsoll/registry-adapters/oidc";
import { type OidcFault, type OidcServer, startOidcServer } from "@plimsoll/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openTestRegistry } from "../../fixtures/test-registry.ts";
import { openTokenService, type TestTokenService } from "../../fixtures/test-tokens.ts";

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
  const service = openTokenService(registry, {
    onlyVerified: false,
    federatedTokens: federatedTokens({ ask, cooldownMs: 0, patienceMs: 500 }),
  });
  const basic = (token: string) => `Basic ${Buffer.from(`${robot}:${token}`).toString("base64")}`;
  const signIn = (token: string) => service.ask(basic(token), "repository:acme/app:pull");
  const exchange = async (authorization?: string) => {
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await service.app.inject({ url: "/oauth2/federation/robot/token", headers });
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
  };
  return { registry, owner, service, signIn, basic, exchange };
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
    { fault: "another's key in the header", says: "signature of the token is wrong" },
    { fault: "a critical header that is not known", says: "a header or a form that is not accepted" },
    { fault: "expired", says: "has expired" },
    { fault: "silent", says: "keys of the token's issuer could not be read" },
    { fault: "endless", says: "keys of the token's issuer could not be read" },
    { fault: "discovery of another", says: "keys of the token's issuer could not be read" },
    { claims: { aud: "other.example" }, says: "audience localhost or http://localhost" },
    { claims: { aud: undefined }, says: "audience localhost or http://localhost" },
    { claims: { exp: undefined }, says: "exp" },
    { claims: { nbf: Math.floor(time.now / 1000) + 3600 }, says: "nbf" },
    { claims: { sub: "REPO:acme/app:ref:refs/heads/main" }, says: "has no federation with issuer" },
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

describe("GET /oauth2/federation/robot/token", () => {
  it("gives a password of an hour for a token of a CI system, which outlasts that token", async () => {
    const { registry, service, signIn, basic, exchange } = await open();
    await using _ = registry;
    const ofJob = await server.issue(job);

    const { status, body } = await exchange(basic(ofJob));
    registry.time.now += 3_599_000;
    const [withToken, withThatOfTheJob] = [await signIn(body.token), await signIn(ofJob)];
    const logged = (await registry.usageLog()).map(({ kind }) => kind);
    registry.time.now += 32_000;
    const late = await signIn(body.token);

    expect([status, body.expires_in, body.issued_at]).toEqual([200, 3600, "2026-11-21T12:00:00.000Z"]);
    expect([withToken.status, withToken.claims.sub, withThatOfTheJob.status]).toEqual([200, robot, 401]);
    expect(logged.filter((kind) => kind === "federated_robot_token_exchange")).toHaveLength(1);
    expect([late.status, late.body.errors[0].message]).toEqual([401, expect.stringContaining("has ended")]);
    expect(await bearer(service, body.token)).toBeUndefined();
  });

  it.each([
    { ends: "the federation", by: ["DELETE", `${path}/federation`] },
    { ends: "the robot's token", by: ["POST", `${path}/regenerate`] },
    { ends: "the robot", by: ["DELETE", path] },
  ] as const)("gives one that ends with $ends", async ({ by: [method, url] }) => {
    const { registry, owner, signIn, basic, exchange } = await open();
    await using _ = registry;
    const { token } = (await exchange(basic(await server.issue(job)))).body;
    const before = await signIn(token);

    const changed = await owner(method, url);

    expect(changed.status).toBeLessThan(300);
    expect([before.status, (await signIn(token)).status]).toEqual([200, 401]);
  });

  it("refuses everything else with a challenge: nothing, a password, a robot's own token, what it gave before", async () => {
    const { registry, owner, service, basic, exchange } = await open();
    await using _ = registry;
    const own = (await owner("GET", path)).body.token;
    const given = (await exchange(basic(await server.issue(job)))).body.token;
    const registryToken = (await service.ask(basic(own), "repository:acme/app:pull")).token;
    const foreign = await server.issue({ ...job, iss: "plimsoll", sub: robot });
    const others = ["Basic !", `Bearer ${given}`, ...[own, given, registryToken, foreign, "x"].map(basic)];

    const answers = await Promise.all([undefined, ...others].map((each) => exchange(each)));

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
    expect(answers.every(({ headers }) => `${headers["www-authenticate"]}`.startsWith("Bearer realm="))).toBe(true);
  });

  it("gives one that is no other robot's, and for which there is no refresh token", async () => {
    const { registry, owner, service, basic, exchange } = await open();
    await using _ = registry;
    await owner("PUT", "/organization/acme/robots/deploy");
    const { token } = (await exchange(basic(await server.issue(job)))).body;
    const form = { grant_type: "password", access_type: "offline", service: "localhost", password: token };
    const ask = (username: string) =>
      service.app.inject({
        method: "POST",
        url: "/v2/auth",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        payload: new URLSearchParams({ ...form, username }).toString(),
      });

    const [itsOwn, another] = [await ask(robot), await ask("acme+deploy")];

    expect([itsOwn.statusCode, another.statusCode]).toEqual([200, 401]);
    expect(itsOwn.json()).not.toHaveProperty("refresh_token");
  });

  /** Whom a token stands for that is shown to the registry itself. */
  async function bearer(service: TestTokenService, token: string) {
    const identified = service.auth.identify({ authorization: `Bearer ${token}` });
    return identified.catch(() => undefined);
  }
});

describe("robotFederationOperations", () => {
  it.each([
    { body: [{ issuer: "ftp://ci.example", subject: "job" }], says: "expected the address of an issuer" },
    { body: [{ issuer: "http://ci.example", subject: "job" }], says: "expected the address of an issuer" },
    { body: [{ issuer: "http://127.0.0.1.evil.example", subject: "job" }], says: "expected the address of an issuer" },
    { body: [{ issuer: "https://me@ci.example", subject: "job" }], says: "expected the address of an issuer" },
    { body: Array(2).fill({ issuer: "https://ci.example", subject: "job" }), says: "occur twice" },
    { body: [{ issuer: "https://ci.example" }], says: "subject" },
    {
      body: Array.from({ length: 51 }, (_, i) => ({ issuer: "https://ci.example", subject: `${i}` })),
      says: "more than 50",
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
