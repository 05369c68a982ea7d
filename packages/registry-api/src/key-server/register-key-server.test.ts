import { createHmac } from "node:crypto";
import { deleteExpired } from "@plimsoll/registry/administration/jobs";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry, type TestRegistryOptions } from "../fixtures/test-registry.ts";
import {
  createServiceKey,
  type ProofOptions,
  sendKeyRequest,
  signProof,
  submitKey,
} from "../fixtures/test-service-keys.ts";

const [key, other, third] = [await createServiceKey(), await createServiceKey(), await createServiceKey()];
const [short, lax] = [await createServiceKey(1024), await createServiceKey(2048, 3)];
const day = 86_400_000;

async function open(options: TestRegistryOptions = {}) {
  const registry = await openTestRegistry(options);
  const root = await registry.session(await registry.user("root"));
  return {
    registry,
    root,
    approve: (kid: string) => root("POST", `/superuser/approvedkeys/${kid}`, {}),
    notices: async () => (await root("GET", "/user/notifications")).body.notifications,
    look: (kid: string, service = "scanner") => sendKeyRequest(registry, { service, kid }),
    list: async () => (await sendKeyRequest(registry, {})).body.keys,
  };
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "registerKeyServer on $title",
  ({ engine }) => {
    it.skipIf(engine.skip)("lets a key wait until a superuser approves it", async () => {
      const { registry: owned, approve, notices, look, list } = await open({ engine });
      await using registry = owned;
      const expiration = registry.time.now / 1000 + 3600;
      const query = `?expiration=${expiration}&rotation=60`;

      const submitted = await submitKey(registry, key, { query });
      const again = await submitKey(registry, key, { query });
      const told = await notices();
      const before = [(await look(key.kid)).status, await list()];
      await approve(key.kid);
      const after = await look(key.kid);

      expect([submitted.status, submitted.body, again.status]).toEqual([202, "", 202]);
      expect(told).toMatchObject([
        {
          kind: "service_key_submitted",
          metadata: {
            kid: key.kid,
            service: "scanner",
            jwk: { ...key.jwk, kid: key.kid },
            expiration_date: expiration,
          },
        },
      ]);
      expect(before).toEqual([409, []]);
      expect(after.status).toBe(200);
      expect(after.body).toEqual({ ...key.jwk, kid: key.kid });
      expect(after.headers["cache-control"]).toBe("public, max-age=60");
      expect(await list()).toEqual([after.body]);
      expect(await notices()).toEqual([]);
      expect((await submitKey(registry, key)).status).toBe(200);
      expect(await registry.usageLog()).toEqual([
        {
          kind: "service_key_create",
          metadata: {
            kid: key.kid,
            service: "scanner",
            preshared: false,
            name: "",
            expiration_date: "Sat, 21 Nov 2026 13:00:00 -0000",
            user_agent: "tests",
            ip: "127.0.0.1",
          },
        },
        expect.objectContaining({ kind: "service_key_approve" }),
      ]);
      registry.time.now += 3_599_000;
      expect((await look(key.kid)).headers["cache-control"]).toBe("public, max-age=1");
      registry.time.now += 1000;
      expect(await look(key.kid)).toMatchObject({ status: 403, body: { status: 403, detail: "The key has expired" } });
      expect(await list()).toEqual([]);
      expect((await submitKey(registry, key)).status).toBe(400);
    });

    it.skipIf(engine.skip)("puts a key in the place of the approved one that signs for it", async () => {
      const { registry: owned, root, approve, look, list, notices } = await open({ engine });
      await using registry = owned;
      await submitKey(registry, key, { query: "?rotation=60" });
      await approve(key.kid);
      await submitKey(registry, other); // which does not keep it from being rotated to

      const rotated = await submitKey(registry, other, { signer: key });
      const again = await submitKey(registry, other);
      const byReplaced = await submitKey(registry, third, { signer: key });

      expect([rotated.status, again.status, byReplaced.status]).toEqual([200, 200, 403]);
      expect(await list()).toEqual([{ ...other.jwk, kid: other.kid }]);
      expect((await look(key.kid)).status).toBe(404);
      expect(await notices()).toEqual([]);
      expect((await root("GET", `/superuser/keys/${other.kid}`)).body).toMatchObject({
        rotation_duration: 60,
        metadata: { created_by: "key rotation", ip: "127.0.0.1" },
        approval: { approver: null, approval_type: "KEY_ROTATION" },
      });
      expect((await registry.usageLog()).at(-1)).toMatchObject({
        kind: "service_key_rotate",
        metadata: { kid: other.kid, signer_kid: key.kid, service: "scanner", expiration_date: null },
      });
    });

    it.skipIf(engine.skip)("removes a key that signs for itself, or has another of its service sign", async () => {
      const { registry: owned, approve, notices } = await open({ engine });
      await using registry = owned;
      await submitKey(registry, key);
      await submitKey(registry, other);
      await submitKey(registry, third, { service: "builder" });
      const remove = async (kid: string, signer = key) =>
        (await sendKeyRequest(registry, { method: "DELETE", kid, jwt: await signProof(registry, signer) })).status;

      const byWaiting = await remove(key.kid, other);
      await approve(other.kid);
      const byApproved = await remove(key.kid, other);
      const unknown = [await remove(key.kid, other), await remove(third.kid, other)];
      const byItself = await remove(other.kid, other);

      expect([byWaiting, byApproved, unknown, byItself]).toEqual([403, 204, [404, 404], 204]);
      expect(await notices()).toMatchObject([{ metadata: { kid: third.kid } }]);
      expect((await registry.usageLog()).at(-1)).toEqual({
        kind: "service_key_delete",
        metadata: {
          kid: other.kid,
          signer_kid: other.kid,
          service: "scanner",
          name: "",
          user_agent: "tests",
          ip: "127.0.0.1",
        },
      });
    });

    it.skipIf(engine.skip)("deletes keys that are not approved within a day", async () => {
      const { registry: owned, approve, look } = await open({ engine });
      await using registry = owned;
      await submitKey(registry, key);
      await submitKey(registry, other);
      await approve(other.kid);
      const { now } = registry.time;

      await deleteExpired(registry.store.db, now + day - 1);
      const before = (await look(key.kid)).status;
      await deleteExpired(registry.store.db, now + day);

      expect([before, (await look(key.kid)).status, (await look(other.kid)).status]).toEqual([409, 404, 200]);
      expect(await registry.store.db.selectFrom("user_notification").select("id").execute()).toEqual([]);
    });

    it.skipIf(engine.skip)("limits the waiting keys of a service, and of all services", async () => {
      const { registry: owned } = await open({ engine });
      await using registry = owned;
      const { now } = registry.time;
      const approval = { approved_at: null, approver_id: null, approval_type: null, approval_notes: null };
      const put = async (service: string, count: number) => {
        const rest = { jwk: "{}", metadata: "{}", created_at: now, expires_at: null, rotation_duration_s: null };
        const rows = Array.from({ length: count }, (_, at) => ({
          kid: `${service}-${at}`,
          service,
          name: "",
          ...rest,
        }));
        await registry.store.db
          .insertInto("service_key")
          .values(rows.map((row) => ({ ...row, ...approval })))
          .execute();
      };

      await put("scanner", 9);
      const tenth = await submitKey(registry, key);
      const eleventh = await submitKey(registry, other);
      const again = await submitKey(registry, key);
      await put("builder", 89);
      const hundredth = await submitKey(registry, other, { service: "mirror" });
      const inAll = await submitKey(registry, third, { service: "indexer" });
      registry.time.now += day;
      const later = await submitKey(registry, third, { service: "indexer" });

      expect([tenth, eleventh, again, hundredth, inAll, later].map(({ status }) => status)).toEqual([
        202, 429, 202, 202, 429, 202,
      ]);
      expect(eleventh.headers["retry-after"]).toBe("3600");
    });
  },
);

describe("registerKeyServer", () => {
  const second = Date.UTC(2026, 10, 21, 12) / 1000;

  it.each<{ title: string; claims: ProofOptions; status: number }>([
    { title: "of the registry's address", claims: { aud: "http://localhost" }, status: 202 },
    { title: "that names no key", claims: { kid: null }, status: 202 },
    { title: "a little late", claims: { exp: second - 29 }, status: 202 },
    { title: "of another service", claims: { iss: "builder" }, status: 403 },
    { title: "for another registry", claims: { aud: "elsewhere" }, status: 403 },
    { title: "that has ended", claims: { exp: second - 31 }, status: 403 },
    { title: "of tomorrow", claims: { iat: second + 31 }, status: 403 },
    { title: "that is old", claims: { iat: second - 331 }, status: 403 },
    { title: "without an end", claims: { exp: undefined }, status: 403 },
    { title: "without a beginning", claims: { iat: undefined }, status: 403 },
    { title: "of an unknown key", claims: { kid: other.kid }, status: 403 },
    { title: "of a key that waits", claims: { kid: third.kid }, status: 403 },
    { title: "of a name that no key has", claims: { kid: "\0" }, status: 403 },
  ])("answers a proof $title with $status", async ({ claims, status }) => {
    const { registry: owned } = await open();
    await using registry = owned;
    await submitKey(registry, third);

    const jwt = await signProof(registry, key, claims);
    const answer = await sendKeyRequest(registry, { method: "PUT", kid: key.kid, jwt, body: key.jwk });

    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.body.detail).toBe("The key that signed the JWT may not do this");
  });

  it("accepts proofs of the keys' algorithm only", async () => {
    const { registry: owned } = await open();
    await using registry = owned;
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims = encode({ iss: "scanner", aud: "localhost", iat: second, exp: second + 60 });
    const signed = `${encode({ alg: "HS256", kid: key.kid })}.${claims}`;
    const hmac = createHmac("sha256", key.jwk.n ?? "")
      .update(signed)
      .digest("base64url");
    const jwts = [`${signed}.${hmac}`, `${encode({ alg: "none", kid: key.kid })}.${claims}.AA`, "a.b.c", "W10.W10.W10"];

    for (const jwt of jwts) {
      expect((await sendKeyRequest(registry, { method: "PUT", kid: key.kid, jwt, body: key.jwk })).status).toBe(403);
    }
  });

  it.each([
    { title: "none", body: undefined, detail: /Missing/ },
    { title: "no JSON", body: "{", detail: /JSON/i },
    { title: "no object", body: [], detail: /body/ },
    { title: "a key of another kind", body: { ...key.jwk, kty: "EC" }, detail: /kty/ },
    { title: "a private key", body: { ...key.jwk, d: "AA" }, detail: /private member d/ },
    { title: "a number that is none", body: { ...key.jwk, n: "=" }, detail: /n/ },
    { title: "a modulus of nothing", body: { ...key.jwk, n: "AA" }, detail: /RSA/ },
    { title: "another kid", body: { ...key.jwk, kid: "x" }, detail: /kid/ },
    { title: "another key", body: other.jwk, detail: /thumbprint/ },
    { title: "a short key", body: short.jwk, detail: /2048 bits, found 1024/ },
    { title: "a small exponent", body: lax.jwk, detail: /exponent/ },
    { title: "an expiration in the past", body: key.jwk, query: "?expiration=1", detail: /in the past/ },
    { title: "no time", body: key.jwk, query: "?expiration=soon", detail: /expiration/ },
    { title: "no time that a date can be", body: key.jwk, query: "?expiration=1e300", detail: /expiration/ },
    { title: "no duration", body: key.jwk, query: "?rotation=-1", detail: /rotation/ },
    { title: "a service that none is", body: key.jwk, service: "Scanner", detail: /service/ },
    { title: "a name that no key has", body: key.jwk, kid: "%00", detail: /thumbprint|character|URL/i },
  ])("refuses $title", async ({ detail, ...given }) => {
    const { registry: owned } = await open();
    await using registry = owned;

    const jwt = await signProof(registry, key);
    const answer = await sendKeyRequest(registry, { method: "PUT", kid: key.kid, jwt, ...given });

    expect(answer.status).toBe(400);
    expect(answer.body.detail).toMatch(detail);
    expect(await registry.usageLog()).toEqual([]);
  });

  it("refuses what is too large, and a key that another service has", async () => {
    const { registry: owned } = await open();
    await using registry = owned;
    await submitKey(registry, key);

    const jwt = await signProof(registry, key);
    const padded = { ...key.jwk, x5c: "x".repeat(16_384) };
    const large = await sendKeyRequest(registry, { method: "PUT", kid: key.kid, jwt, body: padded });
    const taken = await submitKey(registry, key, { service: "builder" });

    expect([large.status, taken.status]).toEqual([413, 400]);
  });

  it.each(["PUT", "DELETE"] as const)("answers %s the same for a known and for an unknown key", async (method) => {
    const { registry: owned, approve } = await open();
    await using registry = owned;
    await submitKey(registry, key);
    await approve(key.kid);
    const ask = (kid: string, jwt?: string) =>
      sendKeyRequest(registry, {
        method,
        kid,
        jwt,
        body: kid === key.kid ? key.jwk : other.jwk,
      });
    const forged = await signProof(registry, { kid: key.kid, privateKey: third.privateKey });
    const unknown = await signProof(registry, third);

    const answers = [];
    for (const kid of [key.kid, other.kid]) {
      for (const jwt of [forged, unknown]) answers.push(await ask(kid, jwt));
    }
    const anonymous = [await ask(key.kid), await ask(other.kid)];

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(anonymous.map(({ status, body }) => [status, body.title])).toEqual([
      [401, "invalid_token"],
      [401, "invalid_token"],
    ]);
  });

  it("shows no key that is unknown, of another service, or has an invalid id", async () => {
    const { registry: owned, approve, look } = await open();
    await using _ = owned;
    await submitKey(owned, key);
    await approve(key.kid);

    expect(await look(other.kid)).toMatchObject({ status: 404, body: { title: "not_found" } });
    expect((await look(key.kid, "builder")).status).toBe(404);
    expect((await look("a.b")).status).toBe(400);
    expect((await look(key.kid, "Scanner")).status).toBe(400);
  });
});
