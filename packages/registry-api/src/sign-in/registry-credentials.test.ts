import { describe, expect, it } from "vitest";
import type { PasswordService } from "../crypto/passwords.ts";
import { createSealer } from "../crypto/secrets.ts";
import { openTestRegistry } from "../fixtures/test-registry.ts";
import { createCredentialCheck } from "./registry-credentials.ts";

/** A check whose password service counts what it is asked, and answers when the test says so. */
async function openCheck(registry: Awaited<ReturnType<typeof openTestRegistry>>) {
  const { store, settings, time } = registry;
  const account = await registry.user("alice");
  await store.db.updateTable("account").set({ password_hash: "a hash" }).where("id", "=", account.id).execute();
  const asked: PromiseWithResolvers<boolean>[] = [];
  const passwords: PasswordService = {
    of: (address) => ({
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
