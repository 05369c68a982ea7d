import { randomUUID } from "node:crypto";
import type { IdentityProvider } from "@plimsoll/registry/ports/identities";
import { type OidcFault, type OidcServer, startOidcServer } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { IssuersOptions } from "./issuers.ts";
import { type OidcOptions, oidcProvider } from "./oidc-provider.ts";

const redirectUri = "https://registry.example/oauth2/corp/callback";
const ask = (url: string, init?: RequestInit) => fetch(url, init);

/** A sign-in of a browser, with its own secrets. */
async function beginAt(provider: IdentityProvider) {
  const [state, nonce, codeVerifier] = [randomUUID(), randomUUID(), `${randomUUID()}${randomUUID()}`];
  const begun = { state, nonce, codeVerifier, redirectUri };
  return { ...begun, url: await provider.begin(begun) };
}

function open(
  server: OidcServer,
  more: Partial<OidcOptions> = {},
  asking: Partial<IssuersOptions> = { patienceMs: 5000, cooldownMs: 0 },
) {
  const { issuer, clientId, clientSecret } = server;
  const options = { service: "corp", title: "Corp", issuer, clientId, clientSecret, ...more };
  return oidcProvider(options, { ask, ...asking });
}

describe.each(["RS256", "ES256"] as const)("oidcProvider with %s", (algorithm) => {
  let server: OidcServer;
  beforeAll(async () => {
    server = await startOidcServer({ algorithm });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  async function signIn(more: Partial<OidcOptions> = {}, provider = open(server, more)) {
    const begun = await beginAt(provider);
    const back = new URL(await server.agree(begun.url));
    const { session: _, ...user } = await provider.finish(begun, back.searchParams);
    return user;
  }

  it("reads the user from the ID token and from user info", async () => {
    server.person = { sub: "7", preferred_username: "Ann", email: "ann@example.com", email_verified: true };
    server.moreOfPerson = { groups: ["dev", "ops"] };

    const user = await signIn({ groupsClaim: "groups", scopes: ["profile", "groups"], superuserGroups: ["ops"] });

    expect(user).toEqual({
      subject: "7",
      username: "Ann",
      email: "ann@example.com",
      groups: ["dev", "ops"],
      role: "superuser",
    });
  });

  it.each([
    { what: "an address that nobody confirmed", person: { sub: "7", email: "x@example.com" }, user: { subject: "7" } },
    { what: "no groups", person: { sub: "7" }, rules: { groupsClaim: "groups" }, user: { subject: "7", groups: [] } },
    {
      what: "one group as a text",
      person: { sub: "7", groups: "dev" },
      rules: { groupsClaim: "groups", restrictedGroups: ["dev"] },
      user: { subject: "7", groups: ["dev"], role: "restricted" },
    },
    {
      what: "claims by other names",
      person: { sub: "7", upn: "ann", mail: "a@example.com", ok: "true" },
      rules: { usernameClaim: "upn", emailClaim: "mail", emailVerifiedClaim: "ok" },
      user: { subject: "7", username: "ann", email: "a@example.com" },
    },
  ])("reads $what", async ({ person, rules, user }) => {
    server.person = person;
    server.moreOfPerson = {};

    expect(await signIn(rules)).toEqual({ role: undefined, ...user });
  });

  it.each([
    { what: "whose groups were left out", person: { sub: "7", _claim_names: { groups: "src1" } } },
    { what: "with groups that are no names", person: { sub: "7", groups: [{}] } },
  ])("refuses a user $what", async ({ person }) => {
    server.person = person;

    await expect(signIn({ groupsClaim: "groups", requiredGroups: ["ops"] })).rejects.toMatchObject({
      code: "downstream_issue",
    });
  });

  it("gives nothing to a user in no required group", async () => {
    server.person = { sub: "7", preferred_username: "ann", groups: ["admins"] };

    const user = await signIn({ groupsClaim: "groups", requiredGroups: ["ops"], superuserGroups: ["admins"] });

    expect(user).toEqual({
      subject: "7",
      groups: [],
      role: undefined,
      refusal: expect.stringContaining("not in a group"),
    });
  });

  const faults: readonly OidcFault[] = [
    "alg none",
    "unknown kid",
    "HS256 with the public key",
    "another's signature",
    "another's key in the header",
    "a critical header that is not known",
    "wrong audience",
    "wrong issuer",
    "wrong nonce",
    "no nonce",
    "expired",
    "no ID token",
    "user info of another",
    "discovery of another",
    "silent",
    "endless",
    "not JSON",
    "status 500",
  ];
  it.each(faults)("signs no user in by a provider with the fault: %s", async (fault) => {
    server.person = { sub: "7" };
    const provider = open(server, {}, { patienceMs: fault === "silent" ? 50 : 5000, cooldownMs: 0 });
    server.fault = fault;

    await expect(signIn({}, provider)).rejects.toMatchObject({ code: "downstream_issue" });
    server.fault = undefined;
  });

  it.each([
    { what: "for several clients, and not saying for which", claims: { aud: ["registry", "other"] } },
    { what: "for several clients, used by another", claims: { aud: ["registry", "other"], azp: "other" } },
    { what: "of the future", claims: { nbf: Math.floor(Date.now() / 1000) + 3600 } },
    { what: "that was issued in the future", claims: { iat: Math.floor(Date.now() / 1000) + 3600 } },
    { what: "that was issued long ago", claims: { iat: Math.floor(Date.now() / 1000) - 7200 } },
    { what: "with times that are texts", claims: { exp: "9999999999" } },
    { what: "with no end", claims: { exp: undefined } },
    { what: "whose user is a number", claims: { sub: 7 } },
    { what: "whose user has a NUL", claims: { sub: "7\u0000" } },
    { what: "whose user is longer than can be stored", claims: { sub: "7".repeat(256) } },
    { what: "of an issuer with a slash at the end", claims: { iss: `/` } },
    { what: "of an issuer in capitals", claims: { iss: "HTTP" } },
  ])("signs no user in by a token $what", async ({ claims }) => {
    const { iss } = { iss: undefined, ...claims };
    const issuers = { "/": `${server.issuer}/`, HTTP: server.issuer.replace("http", "HTTP") };
    server.person = {
      sub: "7",
      ...claims,
      ...(iss !== undefined && { iss: issuers[iss as keyof typeof issuers] }),
    } as never;
    server.moreOfPerson = {};

    await expect(signIn()).rejects.toMatchObject({ code: "downstream_issue" });
  });

  it("asks for no key but those of the discovery document", async () => {
    server.person = { sub: "7" };
    server.fault = "another's key in the header";
    server.asked.length = 0;

    await signIn().catch(() => {});

    server.fault = undefined;
    expect([...new Set(server.asked)]).toEqual(["/.well-known/openid-configuration", "/token", "/keys"]);
  });

  it("says that the user was refused", async () => {
    server.fault = "denied";

    await expect(signIn()).rejects.toMatchObject({ code: "insufficient_scope", message: /did not let you in/ });
    server.fault = undefined;
  });

  it.each([
    { what: "another state", change: (answer: URLSearchParams) => answer.set("state", "other") },
    { what: "no state", change: (answer: URLSearchParams) => answer.delete("state") },
    { what: "another issuer", change: (answer: URLSearchParams) => answer.set("iss", "https://other.example") },
    { what: "another code", change: (answer: URLSearchParams) => answer.set("code", "guess") },
    { what: "two codes", change: (answer: URLSearchParams) => answer.append("code", "guess") },
  ])("refuses a response with $what", async ({ change }) => {
    const provider = open(server);
    const begun = await beginAt(provider);
    const answer = new URL(await server.agree(begun.url)).searchParams;
    change(answer);

    await expect(provider.finish(begun, answer)).rejects.toMatchObject({ code: "downstream_issue" });
  });

  it("refuses a response of another browser, another verifier, and a repeated response", async () => {
    const provider = open(server);
    const [mine, other] = [await beginAt(provider), await beginAt(provider)];
    const answer = new URL(await server.agree(mine.url)).searchParams;
    const { codeVerifier } = other;

    await expect(provider.finish(other, answer)).rejects.toMatchObject({ code: "downstream_issue" });
    await expect(provider.finish({ ...mine, codeVerifier }, answer)).rejects.toMatchObject({
      code: "downstream_issue",
    });
    await expect(provider.finish(mine, answer)).rejects.toMatchObject({ code: "downstream_issue" });
  });

  it("accepts new keys, fetches them once, and refuses tokens of withdrawn keys", async () => {
    server.person = { sub: "7" };
    const provider = open(server);
    await signIn({}, provider);
    server.asked.length = 0;
    await signIn({}, provider);
    const known = [...server.asked];

    await server.keys.rotate({ forgets: true });
    const user = await signIn({}, provider);

    expect(known).toEqual(["/token", "/userinfo"]);
    expect(user.subject).toBe("7");
    expect(server.asked.filter((path) => path === "/keys")).toHaveLength(1);
  });
});

describe("oidcProvider with keys that change", () => {
  async function world() {
    const server = await startOidcServer({ algorithm: "ES256" });
    const time = { now: 1 };
    const provider = open(server, {}, { clock: { now: () => time.now } });
    const signIn = async () => {
      const begun = await beginAt(provider);
      const back = new URL(await server.agree(begun.url));
      return (await provider.finish(begun, back.searchParams)).subject;
    };
    const showUnknownKeys = async (times: number) => {
      server.fault = "unknown kid";
      const token = await server.issue({ aud: "registry", sub: "7", jti: "one" });
      server.fault = undefined;
      for (let n = 0; n < times; n++) await provider.readLogout(token, Date.now()).catch(() => {});
    };
    const keyRequests = () => server.asked.filter((path) => path === "/keys").length;
    return { server, time, signIn, showUnknownKeys, keyRequests };
  }

  it("lets users sign in after several rotations in a row", async () => {
    const { server, signIn } = await world();
    await using _ = server;

    const subjects = [await signIn()];
    for (let n = 0; n < 4; n++) {
      await server.keys.rotate({ forgets: true });
      subjects.push(await signIn());
    }

    expect(subjects).toEqual(Array.from({ length: 5 }, () => "person-1"));
  });

  it("does not ask again and again for keys that strangers name, and users still sign in after a rotation", async () => {
    const { server, time, signIn, showUnknownKeys, keyRequests } = await world();
    await using _ = server;

    await showUnknownKeys(50);
    const atOnce = keyRequests();
    await server.keys.rotate({ forgets: true });
    const subject = await signIn();
    time.now += 150_001;
    await showUnknownKeys(50);

    expect(atOnce).toBe(1 + 5);
    expect(subject).toBe("person-1");
    expect(keyRequests()).toBe(1 + 5 + 1 + 5);
  });
});

describe("oidcProvider with many keys", () => {
  it.each([
    { what: "finds its key among a thousand", count: 1000, bytes: 0, accepted: true },
    { what: "tries no keys of other names", count: 1000, bytes: 0, accepted: false },
    { what: "reads no document of many megabytes", count: 1, bytes: 8 * 1024 * 1024, accepted: false },
  ])("$what", async ({ count, bytes, accepted }) => {
    await using server = await startOidcServer({ algorithm: "ES256" });
    const [own] = server.keys.published;
    const others = Array.from({ length: count }, (_, index) => ({
      ...own,
      kid: `other-${index}`,
      x: "A".repeat(43),
      padding: " ".repeat(bytes),
    }));
    (server.keys.published as object[]).unshift(...others);
    if (!accepted && bytes === 0) server.fault = "unknown kid";
    const provider = open(server);
    const begun = await beginAt(provider);
    const answer = new URL(await server.agree(begun.url)).searchParams;

    const finished = provider.finish(begun, answer);

    if (accepted) expect(await finished).toMatchObject({ subject: "person-1" });
    else await expect(finished).rejects.toMatchObject({ code: "downstream_issue" });
  });
});

describe("oidcProvider with a wrong secret", () => {
  it("reveals neither the secret nor the response of the provider", async () => {
    await using server = await startOidcServer();
    const provider = open(server, { clientSecret: "wrong-secret" });
    const begun = await beginAt(provider);
    const answer = new URL(await server.agree(begun.url)).searchParams;

    const refused: unknown = await provider.finish(begun, answer).catch((error: unknown) => error);

    expect(refused).toMatchObject({ code: "downstream_issue" });
    expect(String(refused)).not.toContain("wrong-secret");
  });
});
