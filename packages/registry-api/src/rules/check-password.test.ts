import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { createPasswords, hashPassword } from "../crypto/passwords.ts";
import { openTestRegistry } from "../fixtures/test-registry.ts";
import { checkPasswordOf, waitAfterFailuresMs } from "./check-password.ts";

const hash = await hashPassword("correct-horse");

describe("waitAfterFailuresMs", () => {
  it.each([
    [1, 1000],
    [2, 2000],
    [5, 16_000],
    [9, 256_000],
    [10, 300_000],
    [1000, 300_000],
  ])("waits after %i failures for %i ms", (failures, wait) => {
    expect(waitAfterFailuresMs(failures)).toBe(wait);
  });
});

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "checkPasswordOf on $title",
  ({ engine }) => {
    it.skipIf(engine.skip)("answers no guess that was sent along with a failure, not even the right one", async () => {
      await using registry = await openTestRegistry({ engine });
      const { db } = registry.store;
      const { now } = registry.time;
      const account = { ...(await registry.user("alice")), password_hash: hash };
      const passwords = createPasswords({ atOnce: 1, waiting: 100 });
      const guesses = [...Array.from({ length: 8 }, (_, index) => `wrong-${index}`), "correct-horse"];

      const answers = await Promise.allSettled(
        guesses.map((guess) => checkPasswordOf({ db, passwords, now }, account, guess)),
      );

      expect(answers[0]).toEqual({ status: "fulfilled", value: false });
      for (const answer of answers.slice(2)) expect(answer).toMatchObject({ reason: { code: "too_many_requests" } });
      const row = await db.selectFrom("account").select(["failed_sign_ins", "locked_until"]).executeTakeFirstOrThrow();
      expect(row.locked_until).toBe(now + waitAfterFailuresMs(row.failed_sign_ins));
    });

    it.skipIf(engine.skip)("forgets failures with the right password", async () => {
      await using registry = await openTestRegistry({ engine });
      const { db } = registry.store;
      const alice = { ...(await registry.user("alice")), password_hash: hash };
      const passwords = createPasswords({ atOnce: 1, waiting: 1 });
      const read = () => db.selectFrom("account").selectAll().executeTakeFirstOrThrow();
      const check = async (now: number, guess: string) =>
        checkPasswordOf({ db, passwords, now }, { ...(await read()), password_hash: alice.password_hash }, guess);

      const wrong = await check(0, "wrong");
      const right = await check(1000, "correct-horse");

      expect([wrong, right]).toEqual([false, true]);
      expect(await read()).toMatchObject({ failed_sign_ins: 0, locked_until: 0 });
    });
  },
);
