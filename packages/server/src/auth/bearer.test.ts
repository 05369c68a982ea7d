import { SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { signToken } from "../serve/open-services.ts";
import { bearerAuthentication } from "./bearer.ts";

const key = Buffer.from("a pre-shared key of some length, 32+");
const now = new Date("2026-11-21T12:00:00Z");
const serviceIssuer = "plimsoll-intraservice";
const seconds = now.getTime() / 1000;
const authenticate = bearerAuthentication({ key, issuers: ["quay", serviceIssuer] });

interface Claims {
  readonly iss?: string;
  readonly exp?: number;
  readonly nbf?: number;
  readonly iat?: number;
}

const tokenOf = (claims: Claims, alg = "HS256", signedWith: Uint8Array = key) =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg }).sign(signedWith);

describe("bearerAuthentication", () => {
  it.each(["HS256", "HS384", "HS512"])("accepts %s", async (alg) => {
    expect(await authenticate(`Bearer ${await tokenOf({ iss: "quay" }, alg)}`, now)).toBe(true);
  });

  it.each<[Claims, boolean]>([
    [{ iss: "quay", exp: seconds + 60, nbf: seconds - 60, iat: seconds }, true],
    [{ iss: "quay", exp: seconds - 14 }, true],
    [{ iss: "quay", exp: seconds - 16 }, false],
    [{ iss: "quay", nbf: seconds + 14 }, true],
    [{ iss: "quay", nbf: seconds + 16 }, false],
    [{ iss: "quay", iat: seconds + 14 }, true],
    [{ iss: "quay", iat: seconds + 16 }, false],
    [{ iss: "quay", iat: seconds - 1e6 }, true],
    [{ iss: "somebody" }, false],
    [{ iss: "" }, false],
    [{}, false],
  ])("answers the claims %j with %s", async (claims, expected) => {
    expect(await authenticate(`Bearer ${await tokenOf(claims)}`, now)).toBe(expected);
  });

  it("accepts a token repeatedly, until it expires", async () => {
    const token = `Bearer ${await tokenOf({ iss: "quay", nbf: seconds, iat: seconds, exp: seconds + 60 })}`;
    const answerAt = (after: number) => authenticate(token, new Date(now.getTime() + after * 1000));

    const answers = [
      await answerAt(0),
      await answerAt(74),
      await answerAt(75),
      await answerAt(-15),
      await answerAt(-16),
    ];

    expect(answers).toEqual([true, true, false, true, false]);
  });

  it("still accepts a token after a thousand others", async () => {
    const token = `Bearer ${await tokenOf({ iss: "quay" })}`;
    await authenticate(token, now);

    for (let index = 0; index < 1001; index++)
      await authenticate(`Bearer ${await tokenOf({ iss: "quay", iat: index })}`, now);

    expect(await authenticate(token, now)).toBe(true);
  });

  it("does not accept a token because of its beginning", async () => {
    const token = await tokenOf({ iss: "quay" });
    await authenticate(`Bearer ${token}`, now);

    expect(await authenticate(`Bearer ${token.slice(0, -1)}`, now)).toBe(false);
  });

  it("rejects a token signed with another key", async () => {
    const token = await tokenOf({ iss: "quay" }, "HS256", Buffer.from("another key of the same length......"));

    expect(await authenticate(`Bearer ${token}`, now)).toBe(false);
  });

  it("rejects unsigned and changed tokens", async () => {
    const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const [header, , signature] = (await tokenOf({ iss: "somebody" })).split(".");

    expect(await authenticate(`Bearer ${base64({ alg: "none" })}.${base64({ iss: "quay" })}.`, now)).toBe(false);
    expect(await authenticate(`Bearer ${header}.${base64({ iss: "quay" })}.${signature}`, now)).toBe(false);
  });

  it.each([undefined, "", "Bearer", "Bearer ", "Basic dTpw", "Bearer a.b.c", "Bearer ....."])(
    "rejects the header %j",
    async (header) => {
      expect(await authenticate(header, now)).toBe(false);
    },
  );

  it.each(["bearer", "BEARER", "Bearer"])("accepts the scheme written as %s", async (scheme) => {
    expect(await authenticate(`${scheme} ${await tokenOf({ iss: "quay" })}`, now)).toBe(true);
  });
});

describe("signToken", () => {
  it("creates tokens that the other service accepts, for a minute", async () => {
    const token = await signToken(key, serviceIssuer, now);

    expect(await authenticate(`Bearer ${token}`, now)).toBe(true);
    expect(await authenticate(`Bearer ${token}`, new Date(now.getTime() + 80_000))).toBe(false);
  });
});
