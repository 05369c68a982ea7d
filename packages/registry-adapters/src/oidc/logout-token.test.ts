import { type OidcServer, startOidcServer } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { providerOf } from "../../../registry-api/src/fixtures/test-provider.ts";

const event = "http://schemas.openid.net/event/backchannel-logout";
const valid = { aud: "registry", sub: "7", sid: "s-1", jti: "one", events: { [event]: {} } };

let server: OidcServer;
beforeAll(async () => {
  server = await startOidcServer();
});
afterAll(() => server[Symbol.asyncDispose]());

describe("readLogoutToken", () => {
  const seconds = Math.floor(Date.now() / 1000);
  const read = async (claims: Readonly<Record<string, unknown>>, fault?: OidcServer["fault"]) => {
    server.fault = fault;
    const token = await server.issue(claims);
    server.fault = undefined;
    return providerOf(server).readLogout(token, 1000 * seconds);
  };

  it.each([
    { what: "a session of a user", claims: {}, found: { subject: "7", sid: "s-1" } },
    { what: "a session alone", claims: { sub: undefined }, found: { sid: "s-1" } },
    { what: "a user", claims: { sid: undefined }, found: { subject: "7" } },
    { what: "one audience of several", claims: { aud: ["other", "registry"] }, found: { subject: "7", sid: "s-1" } },
    { what: "clocks that differ a little", claims: { iat: seconds + 20 }, found: { subject: "7", sid: "s-1" } },
  ])("reads a token of $what", async ({ claims, found }) => {
    expect(await read({ ...valid, iat: seconds, ...claims })).toEqual({
      ...found,
      jti: "one",
      usableUntil: expect.any(Number),
    });
  });

  it.each([
    { what: "of another issuer", claims: { iss: "https://other.example" } },
    { what: "for another client", claims: { aud: "other" } },
    { what: "without an audience", claims: { aud: undefined } },
    { what: "without a time", claims: { iat: undefined } },
    { what: "that is too old", claims: { iat: seconds - 700 } },
    { what: "of the future", claims: { iat: seconds + 700 } },
    { what: "that has expired", claims: { exp: seconds - 60 } },
    { what: "without an event: an ID token", claims: { events: undefined } },
    { what: "of another event", claims: { events: { "http://schemas.openid.net/event/other": {} } } },
    { what: "whose event is no object", claims: { events: { [event]: true } } },
    { what: "whose events are a list", claims: { events: [event] } },
    { what: "with a nonce", claims: { nonce: "n" } },
    { what: "of no user and no session", claims: { sub: undefined, sid: undefined } },
    { what: "whose session is no text", claims: { sid: 7 } },
    { what: "whose user is too long", claims: { sub: "a".repeat(256) } },
    { what: "without a name", claims: { jti: undefined } },
  ])("refuses a token $what", async ({ claims }) => {
    await expect(read({ ...valid, iat: seconds, ...claims })).rejects.toMatchObject({ code: "invalid_request" });
  });

  it.each([
    "alg none",
    "unknown kid",
    "HS256 with the public key",
    "another's signature",
    "another's key in the header",
    "a critical header that is not known",
  ] as const)("refuses a token with the fault: %s", async (fault) => {
    await expect(read(valid, fault)).rejects.toMatchObject({ code: "invalid_request" });
  });

  it.each(["", "a", "a.b.c", "e30.e30."])("refuses a text that is not a token: %j", async (text) => {
    await expect(providerOf(server).readLogout(text, Date.now())).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("reports a failure of the provider if its keys cannot be fetched", async () => {
    const provider = providerOf(server);
    server.fault = "status 500";

    await expect(provider.readLogout(await server.issue(valid), Date.now())).rejects.toMatchObject({
      code: "downstream_issue",
    });
    server.fault = undefined;
  });
});
