import type { PasswordService } from "@plimsoll/registry/crypto/passwords";
import { RememberedPasswords } from "@plimsoll/registry/crypto/remembered-passwords";
import { createSealer } from "@plimsoll/registry/crypto/secrets";
import { createOAuthToken } from "@plimsoll/registry/identity/oauth/tokens";
import { createCredentialCheck } from "@plimsoll/registry/identity/sign-in/registry-credentials";
import { createAppToken } from "@plimsoll/registry/identity/sign-in/token-holders";
import { noPorts } from "@plimsoll/registry/ports";
import { engineTitle, type TestEngine, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import type { DistributionError } from "../../distribution/distribution-error.ts";
import { spendGuesses } from "../../fixtures/spend-guesses.ts";
import { testPassword, userWithPassword } from "../../fixtures/test-browser.ts";
import { openTestRegistry } from "../../fixtures/test-registry.ts";
import { basic, openTokenService, putRobot } from "../../fixtures/test-tokens.ts";

/** A check whose password service counts what it is asked, and answers when the test says so. */
async function openCheck(registry: Awaited<ReturnType<typeof openTestRegistry>>) {
  const { store, settings, time } = registry;
  const account = await registry.user("alice");
  await store.db.updateTable("account").set({ password_hash: "a hash" }).where("id", "=", account.id).execute();
  const asked: PromiseWithResolvers<boolean>[] = [];
  const remembered = new RememberedPasswords();
  const passwords: PasswordService = {
    remembered,
    of: (address) => ({
      remembered,
      address: address(),
      hash: async () => "a hash",
      verify: () => {
        const answer = Promise.withResolvers<boolean>();
        asked.push(answer);
        return answer.promise;
      },
    }),
  };
  const check = createCredentialCheck({
    db: store.db,
    settings,
    clock: { now: () => time.now },
    passwords,
    loginKey: new Uint8Array(32),
    tokenKey: new Uint8Array(32),
    secrets: createSealer(new Uint8Array(32), "secrets"),
    onlyVerified: false,
    directory: noPorts.directory,
    federatedTokens: noPorts.federatedTokens,
  });
  return { asked, check: (username: string, password: string) => check({ username, password }, "192.0.2.1") };
}

describe("createCredentialCheck", () => {
  it("does not ask for a remembered password again while others wait", async () => {
    await using registry = await openTestRegistry();
    const { asked, check } = await openCheck(registry);
    const first = check("alice", "right");
    await expect.poll(() => asked.length).toBe(1);
    asked[0]?.resolve(true);
    await first;

    const waiting = check("nobody", "guess");
    const again = await check("alice", "right");

    expect(again).toMatchObject({ kind: "user", account: { username: "alice" } });
    expect(asked.length).toBeLessThanOrEqual(2);
    await expect.poll(() => asked.length).toBe(2);
    asked[1]?.resolve(false);
    await expect(waiting).rejects.toMatchObject({ code: "invalid_token" });
  });

  it("checks a password once for requests at the same time", async () => {
    await using registry = await openTestRegistry();
    const { asked, check } = await openCheck(registry);

    const checks = Array.from({ length: 20 }, () => check("alice", "right"));
    await expect.poll(() => asked.length).toBe(1);
    asked[0]?.resolve(true);
    const callers = await Promise.all(checks);

    expect(callers).toHaveLength(20);
    expect(asked).toHaveLength(1);
  });
});

/** Two nodes of a registry with the user alice, who signs in from an office, as does her neighbour. */
async function openNodes(engine: TestEngine) {
  const registry = await openTestRegistry({ engine });
  const alice = await userWithPassword(registry, "alice");
  const nodes = [openTokenService(registry), openTokenService(registry)] as const;
  const statusAt = async (node: (typeof nodes)[number], secret: string, address = "198.51.100.7") =>
    node.auth
      .identifyCredentials({ username: "alice", password: secret }, address)
      .then(() => 200)
      .catch(({ status }: DistributionError) => status);
  return { registry, alice, nodes, statusAt };
}

const engines = testEngines.map((engine) => ({ engine, title: engineTitle(engine) }));

describe.each(engines)("a remembered password on $title", ({ engine }) => {
  it.skipIf(engine.skip)("waits neither for typing errors nor for guesses, however long ago it was right", async () => {
    const { registry, nodes, statusAt } = await openNodes(engine);
    await using _ = registry;
    const [one, other] = nodes;
    await statusAt(one, testPassword);
    for (let n = 0; n < 6; n++) await statusAt(one, `typing error ${n}`);

    const afterErrors = await statusAt(other, testPassword);
    registry.time.now += 300_000; // it is checked again
    await spendGuesses(registry);
    const expired = [await statusAt(one, "a guess"), await statusAt(one, testPassword)];
    registry.time.now += 86_400_000;
    await spendGuesses(registry);
    const nextDay = [await statusAt(one, "a guess"), await statusAt(one, testPassword)];

    expect(afterErrors).toBe(200);
    expect([expired, nextDay]).toEqual([
      [429, 200],
      [429, 200],
    ]);
  });

  it.skipIf(engine.skip)("ends the wait of others on all nodes", async () => {
    const { registry, nodes, statusAt } = await openNodes(engine);
    await using _ = registry;
    const [one, other] = nodes;
    await statusAt(one, testPassword);
    await statusAt(one, "typing error");
    await spendGuesses(registry);
    registry.time.now += 10_000;

    const before = await statusAt(other, "a guess");
    const remembered = await statusAt(one, testPassword);
    const after = await statusAt(other, "another guess");

    expect([before, remembered, after]).toEqual([429, 200, 401]);
  });

  it.skipIf(engine.skip)("is unknown in other networks, where it waits like a guess", async () => {
    const { registry, nodes, statusAt } = await openNodes(engine);
    await using _ = registry;
    const [one] = nodes;
    await statusAt(one, testPassword);
    await statusAt(one, "a guess", "203.0.113.9");
    await spendGuesses(registry);

    const stranger = await statusAt(one, testPassword, "203.0.113.9");
    const office = await statusAt(one, testPassword);

    expect([stranger, office]).toEqual([429, 200]);
  });

  it.skipIf(engine.skip)("waits after a thousand guesses in its network", async () => {
    const { registry, nodes, statusAt } = await openNodes(engine);
    await using _ = registry;
    const [one] = nodes;
    await statusAt(one, testPassword);
    await statusAt(one, "the first guess");
    await spendGuesses(registry);
    const guess = async (times: number) => {
      for (let n = 0; n < times; n++) await statusAt(one, `guess ${n} of ${times}`);
    };

    await guess(999);
    const within = await statusAt(one, testPassword);
    await guess(1);
    await spendGuesses(registry);
    const beyond = await statusAt(one, testPassword);

    expect([within, beyond]).toEqual([200, 429]);
  });

  it.skipIf(engine.skip)("is not needed by robots, app tokens and OAuth tokens, which no wait is for", async () => {
    const { registry, alice, nodes, statusAt } = await openNodes(engine);
    await using _ = registry;
    const [one] = nodes;
    const { store, time } = registry;
    const secrets = createSealer(new Uint8Array(32), "secrets");
    const robotToken = "R".repeat(64);
    await putRobot(registry, alice, { shortName: "ci", token: robotToken });
    const app = await createAppToken(store.db, secrets, { accountId: alice.id, title: "laptop", now: time.now });
    await registry.token(alice, "repo:read"); // makes the application
    const scopes = new Set(["repo:read"] as const);
    const request = { clientId: `TEST${alice.id}`, accountId: alice.id, scopes, now: time.now };
    const { token: oauth } = await createOAuthToken(store.db, request);
    await statusAt(one, "a guess");
    await spendGuesses(registry);

    const waiting = await statusAt(one, testPassword);
    const others = await Promise.all(
      [
        basic("alice+ci", robotToken),
        basic("$app", secrets.open(app.token_sealed ?? "") ?? ""),
        basic("$oauthtoken", oauth),
      ].map(async (header) => (await one.ask(header)).status),
    );

    expect([waiting, others]).toEqual([429, [200, 200, 200]]);
  });
});
