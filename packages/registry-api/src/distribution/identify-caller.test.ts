import { deriveKey } from "@plimsoll/registry/crypto/secrets";
import { SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../fixtures/test-registry.ts";
import { basic, openTokenService, putRobot, testTokenKey } from "../fixtures/test-tokens.ts";

const access = [{ type: "repository", name: "alice/app", actions: ["push", "pull"] }];

async function openWorld() {
  const registry = await openTestRegistry();
  const alice = await registry.user("alice");
  const robot = await putRobot(registry, alice, { shortName: "ci", token: "ROBOTTOKEN" });
  const service = openTokenService(registry);
  return {
    registry,
    robot,
    service,
    identify: (token: string) => service.auth.identify({ authorization: `Bearer ${token}` }),
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]();
      await registry[Symbol.asyncDispose]();
    },
  };
}

type World = Awaited<ReturnType<typeof openWorld>>;

/** A token as the registry issues it for the robot, with one difference. */
function forge(
  { registry, robot }: World,
  other: { claims?: object; context?: object; key?: Uint8Array; alg?: string },
) {
  const now = registry.time.now / 1000;
  const context = { entity_kind: "robot", entity_reference: robot.id, credential_version: 1, ...other.context };
  const claims = {
    iss: "plimsoll",
    aud: "localhost",
    sub: "alice+ci",
    nbf: now,
    iat: now,
    exp: now + 3600,
    access,
    context,
  };
  const jwt = new SignJWT({ ...claims, ...other.claims }).setProtectedHeader({ alg: other.alg ?? "HS256", typ: "JWT" });
  return jwt.sign(other.key ?? testTokenKey);
}

const expectOff = { errors: [{ code: "UNAUTHORIZED", message: expect.stringContaining("switched off"), detail: {} }] };

describe("createRegistryAuth", () => {
  it.each([
    { what: "switched off", allowedRobots: [], status: 401, isKnown: false },
    { what: "switched off but for another", allowedRobots: ["alice+cd", "ci"], status: 401, isKnown: false },
    { what: "switched off but for it", allowedRobots: ["alice+ci"], status: 200, isKnown: true },
  ])("knows a robot where robots are $what: $isKnown", async ({ allowedRobots, status, isKnown }) => {
    await using world = await openWorld();
    const token = await forge(world, {});
    const { settings } = world.registry;
    Object.assign(settings, { allowedRobots, features: { ...settings.features, robots: false } });

    const answer = await world.service.ask(basic("alice+ci", "ROBOTTOKEN"));
    const caller = await world.identify(token).catch((error: Error) => error.message);

    expect(answer.status).toBe(status);
    if (isKnown) expect(caller).toMatchObject({ principal: { kind: "robot" } });
    else expect([answer.body, caller]).toEqual([expectOff, "The registry token is not valid"]);
  });

  it("knows the caller of a token, and how far the token reaches", async () => {
    await using world = await openWorld();

    const caller = await world.identify(await forge(world, {}));

    expect(caller?.principal).toMatchObject({ kind: "robot", account: { username: "alice+ci" } });
    expect(caller?.allows("alice/app", "push")).toBe(true);
    expect(caller?.allows("alice/app", "*")).toBe(false);
    expect(caller?.allows("alice/other", "pull")).toBe(false);
  });

  it("knows the caller of Basic credentials, which reach everywhere, and an anonymous caller without a header", async () => {
    await using world = await openWorld();
    const { auth } = world.service;

    const caller = await auth.identify({ authorization: basic("alice+ci", "ROBOTTOKEN") });

    expect(caller?.principal.kind).toBe("robot");
    expect(caller?.allows("any/thing", "*")).toBe(true);
    expect(await auth.identify({})).toBeUndefined();
  });

  it.each<{ why: string; other: (now: number) => Parameters<typeof forge>[1] }>([
    { why: "is signed with another key", other: () => ({ key: new Uint8Array(32).fill(1) }) },
    {
      why: "is signed with the key of another purpose",
      other: () => ({ key: deriveKey(new Uint8Array(32).fill(7), "page tokens") }),
    },
    { why: "is signed another way", other: () => ({ alg: "HS512" }) },
    { why: "is for another service", other: () => ({ claims: { aud: "elsewhere" } }) },
    { why: "is for several services", other: () => ({ claims: { aud: ["localhost", "elsewhere"] } }) },
    { why: "is of another issuer", other: () => ({ claims: { iss: "elsewhere" } }) },
    { why: "has expired", other: (now) => ({ claims: { iat: now - 3700, nbf: now - 3700, exp: now - 31 } }) },
    { why: "lives too long", other: (now) => ({ claims: { iat: now - 3700, nbf: now - 3700, exp: now + 86_400 } }) },
    { why: "is not valid yet", other: (now) => ({ claims: { iat: now + 60, nbf: now + 60, exp: now + 3000 } }) },
    { why: "never expires", other: () => ({ claims: { exp: undefined } }) },
    { why: "has no access", other: () => ({ claims: { access: undefined } }) },
    { why: "names no account", other: () => ({ context: { entity_reference: undefined } }) },
    { why: "names an account that is none of its kind", other: () => ({ context: { entity_kind: "user" } }) },
    { why: "names a kind that there is not", other: () => ({ context: { entity_kind: "root" } }) },
    { why: "is of credentials that have changed since", other: () => ({ context: { credential_version: 0 } }) },
    { why: "does not say of which credentials", other: () => ({ context: { credential_version: undefined } }) },
  ])("refuses a token that $why", async ({ other }) => {
    await using world = await openWorld();

    const token = await forge(world, other(world.registry.time.now / 1000));

    await expect(world.identify(token)).rejects.toMatchObject({
      code: "UNAUTHORIZED",
      status: 401,
      headers: { "www-authenticate": 'Bearer realm="http://localhost/v2/auth",service="localhost"' },
    });
  });

  it("refuses tokens that are not signed, that are cut, and other texts", async () => {
    await using world = await openWorld();
    const good = await forge(world, {});
    const [head = "", body = "", signature = ""] = good.split(".");
    const payload = JSON.parse(Buffer.from(body, "base64url").toString());
    const admin = Buffer.from(JSON.stringify({ ...payload, access: [{ ...access[0], name: "bob/app" }] })).toString(
      "base64url",
    );
    const bad = [
      new UnsecuredJWT(payload).encode(),
      `${head}.${body}.`,
      `${head}.${body}`,
      `${head}.${admin}.${signature}`,
      "token",
    ];

    for (const token of bad) await expect(world.identify(token)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  it("ends a token with what it was made for", async () => {
    await using world = await openWorld();
    const { db } = world.registry.store;
    const { token } = await world.service.ask(basic("alice+ci", "ROBOTTOKEN"), "repository:alice/app:pull");
    expect((await world.identify(token))?.principal.kind).toBe("robot");

    await db.updateTable("account").set({ credential_version: 2 }).where("id", "=", world.robot.id).execute();

    await expect(world.identify(token)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  it("says in its challenge what a token is needed for", async () => {
    await using world = await openWorld();

    const challenge = 'Bearer realm="http://localhost/v2/auth",service="localhost",scope="repository:a/b:pull"';
    expect(world.service.auth.challenge("repository:a/b:pull")).toBe(challenge);
    expect(world.service.auth.challenge("repository:a/b:pull", "insufficient_scope")).toBe(
      `${challenge},error="insufficient_scope"`,
    );
  });
});
