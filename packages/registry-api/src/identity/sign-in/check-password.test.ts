import { findUserByLogin } from "@plimsoll/registry/access/queries";
import {
  createPasswords,
  defaultTurns,
  hashPassword,
  type PasswordOptions,
  type Passwords,
} from "@plimsoll/registry/crypto/passwords";
import type { RegistryError } from "@plimsoll/registry/errors";
import { hashQuickly, quickPasswords } from "@plimsoll/registry/fixtures/quick-passwords";
import { checkLogin, checkPasswordOf, setPassword } from "@plimsoll/registry/identity/sign-in/check-password";
import { failureEveryMs, foldLogin } from "@plimsoll/registry/identity/sign-in/failed-sign-ins";
import { findClientNetwork } from "@plimsoll/registry/identity/sign-in/known-networks";
import { deleteOldFailures } from "@plimsoll/registry/identity/sign-in/queries/sign-ins";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry, type TestRegistry } from "../../fixtures/test-registry.ts";

const rightPassword = "correct-horse";
const quick = { hash: await hashQuickly(rightPassword), options: quickPasswords };
const slow = { hash: await hashPassword(rightPassword), options: defaultTurns };

interface Place {
  readonly from: string;
  readonly now: number;
}

/** A client that guesses passwords of alice, and of unknown users. */
async function openGuesser(
  { store: { db }, user }: TestRegistry,
  { hash, options }: { readonly hash: string; readonly options: PasswordOptions } = quick,
) {
  const alice = await user("alice");
  await db.updateTable("account").set({ password_hash: hash }).execute();
  let passwords = createPasswords({ ...options, atOnce: 1, waiting: 100 });
  const context = { db, passwords: passwords.of(() => "192.0.2.1"), loginKey: new Uint8Array(32) };
  let guesses = 0;
  let verified = 0;
  const passwordsOf = (address: string): Passwords => {
    const checked = passwords.of(() => address);
    return { ...checked, verify: (check) => checked.verify(check).finally(() => verified++) };
  };
  return {
    verified: () => verified,
    db,
    account: { ...alice, password_hash: hash },
    context,
    /** Another node checks from now on. */
    nextNode() {
      passwords = createPasswords({ ...options, atOnce: 1, waiting: 100 });
    },
    /** Sends one wrong password, and counts as if it had been so many different ones. */
    async guessOften(login: string, now: number, times = 100): Promise<void> {
      const account = await findUserByLogin(db, login);
      const checked = { ...context, passwords: passwords.of(() => context.passwords.address), now };
      expect(await checkLogin(checked, { login, account }, `wrong-${++guesses}`)).toBeUndefined();
      await db
        .updateTable("failed_sign_in")
        .set(({ eb }) => ({ spent_until: eb("spent_until", "+", (times - 1) * failureEveryMs) }))
        .where("spent_until", ">", now)
        .execute();
    },
    /** @param place where the client is: `from`, its address, and the time */
    async guess(login: string, place: number | Place, password = `guess-${++guesses}`): Promise<boolean | string> {
      const { from, now } = typeof place === "number" ? { from: context.passwords.address, now: place } : place;
      const account = (await findUserByLogin(db, login)) ?? (await findUserByLogin(db, foldLogin(login)));
      const checked = { ...context, passwords: passwordsOf(from), now };
      return checkLogin(checked, { login, account }, password)
        .then((found) => found !== undefined)
        .catch((error: RegistryError) => error.message);
    },
    counted: () => db.selectFrom("failed_sign_in").selectAll().orderBy("mark").execute(),
  };
}

const known = ["alice", "alice@example.com", "ALICE@Example.com"];
const unknown = ["nobody", "nobody@example.com", "NOBODY@Example.com", "", "x".repeat(300)];

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "checkLogin on $title",
  ({ engine }) => {
    it.skipIf(engine.skip).each([...known, ...unknown])(
      "checks a hundred passwords for %j at once, and then one in five minutes, all alike",
      async (login) => {
        await using registry = await openTestRegistry({ engine });
        const { guess, guessOften, counted } = await openGuesser(registry);
        const times = [0, 0, 299_999, 300_000, 300_000, 900_000, 900_000, 900_000];
        await guessOften(login, 0, 99);

        const answers = [];
        for (const now of times) answers.push(await guess(login, now));

        const wait = (seconds: number) => `Too many failed attempts: try again in ${seconds} s`;
        expect(answers).toEqual([false, wait(300), wait(1), false, wait(300), false, false, wait(300)]);
        expect(await counted()).toHaveLength(1);
      },
    );

    it.skipIf(engine.skip).each([
      { one: "alice", other: "alice@example.com", second: false },
      { one: "nobody", other: "nobody@example.com", second: false },
      { one: "alice@example.com", other: "Alice@example.com", second: "wait" },
      { one: "nobody@example.com", other: "Nobody@example.com", second: "wait" },
    ])("makes a wait for $one tell no more about $other than for unknown users", async (row) => {
      await using registry = await openTestRegistry({ engine });
      const { guess, guessOften } = await openGuesser(registry);

      await guessOften(row.one, 0);
      const answer = await guess(row.other, 0);

      expect(answer === false ? false : "wait").toBe(row.second);
    });

    it.skipIf(engine.skip)("forgets failures that no longer count, a day later", async () => {
      await using registry = await openTestRegistry({ engine });
      const { db, guess, counted } = await openGuesser(registry);
      await guess("alice", 0);
      const later = 300_000 + 86_400_000;

      await deleteOldFailures(db, later - 1);
      const before = await counted();
      await deleteOldFailures(db, later);

      expect([before.length, (await counted()).length]).toEqual([1, 0]);
    });

    it.skipIf(engine.skip).each(["alice", "nobody"])(
      "answers no guess as %s that was beyond the limit when its check ended",
      async (login) => {
        await using registry = await openTestRegistry({ engine });
        const { guess, guessOften } = await openGuesser(registry, slow);
        await guessOften(login, 0, 99);
        const guesses = [...Array.from({ length: 8 }, (_, index) => `other-${index}`), rightPassword];

        const answers = await Promise.all(guesses.map((password) => guess(login, 0, password)));

        const waits = answers.filter((answer) => typeof answer === "string");
        expect(answers.length - waits.length).toBeGreaterThan(0);
        expect(answers.length - waits.length).toBeLessThanOrEqual(2); // whom the database lets go first, and who began before the end
        for (const wait of waits) expect(wait).toMatch(/^Too many failed attempts/);
      },
    );

    it.skipIf(engine.skip)("counts a wrong password once, however often a program repeats it", async () => {
      await using registry = await openTestRegistry({ engine });
      const { guess } = await openGuesser(registry);

      const answers = [];
      for (let n = 0; n < 101; n++) answers.push(await guess("alice", 0, "the old password"));
      const right = await guess("alice", 0, rightPassword);

      expect(answers.every((answer) => answer === false)).toBe(true);
      expect(right).toBe(true);
    });

    it.skipIf(engine.skip)("asks for failures once before a password that need not wait, and once after", async () => {
      const asked: string[] = [];
      const onStatement = (text: string) => void (/^select.*failed_sign_in/.test(text) && asked.push(text));
      await using registry = await openTestRegistry({ engine, onStatement });
      const { guess } = await openGuesser(registry);

      await guess("alice", 0, rightPassword);

      expect(asked).toHaveLength(2);
    });

    it.skipIf(engine.skip)(
      "makes an owner not wait for the guesses of others, where the owner signed in before",
      async () => {
        await using registry = await openTestRegistry({ engine });
        const { guess, guessOften } = await openGuesser(registry);
        const home = "198.51.100.7";

        const first = await guess("alice", { from: home, now: 0 }, rightPassword);
        await guessOften("alice", 0);
        const stranger = await guess("alice", 0, rightPassword);
        const fromHome = await guess("alice", { from: home, now: 0 }, rightPassword);
        const fromNeighbour = await guess("alice", { from: "198.51.100.200", now: 0 }, rightPassword);
        const fromElsewhere = await guess("alice", { from: "198.51.101.7", now: 0 }, rightPassword);

        expect([first, fromHome, fromNeighbour]).toEqual([true, true, true]);
        for (const answer of [stranger, fromElsewhere]) expect(answer).toMatch("Too many failed attempts");
      },
    );

    it.skipIf(engine.skip).each([
      { login: "alice", where: "the owner signed in before", right: true },
      { login: "alice@example.com", where: "the owner signed in before", right: true },
      { login: "bob", where: "another signed in before", right: "wait" },
      { login: "nobody", where: "another signed in before", right: "wait" },
    ])("lets no guess of $login but the right one of an owner go on, where $where, on every node", async (row) => {
      await using registry = await openTestRegistry({ engine });
      await registry.user("bob");
      const { guess, guessOften, nextNode } = await openGuesser(registry);
      await guess("alice", 0, rightPassword);
      await guessOften(row.login, 0);
      nextNode();

      const answers = [await guess(row.login, 0), await guess(row.login, 0, rightPassword)];

      const told = answers.map((answer) => (typeof answer === "string" ? "wait" : answer));
      expect(told).toEqual(["wait", row.right]);
    });

    it.skipIf(engine.skip).each(["alice", "bob", "nobody"])(
      "verifies a thousand passwords of %s whose answers it does not tell, in a network with accounts",
      async (login) => {
        await using registry = await openTestRegistry({ engine });
        await registry.user("bob");
        const { context, db, guess, guessOften, verified } = await openGuesser(registry);
        await guess("alice", 0, rightPassword);
        await guessOften(login, 0);
        const seen = verified();
        const at = { from: context.passwords.address, now: 0 };

        const first = await guess(login, at);
        const untold = db.updateTable("failed_sign_in").where("mark", "like", "% untold %");
        await untold.set({ spent_until: 999 * failureEveryMs }).execute();
        const last = await guess(login, at);
        const beyond = [await guess(login, at), await guess(login, at, rightPassword)];

        const wait = "Too many failed attempts: try again in 300 s";
        expect([first, last, ...beyond]).toEqual([wait, wait, wait, wait]);
        expect(verified() - seen).toBe(2);
      },
    );

    it.skipIf(engine.skip).each(["alice", "nobody"])(
      "counts a wrong password once for all ways of writing %s",
      async (login) => {
        await using registry = await openTestRegistry({ engine });
        const { guess, counted } = await openGuesser(registry);

        for (const name of [login, login.toUpperCase(), ` ${login}`]) await guess(name, 0, "the same");

        expect((await counted()).map(({ spent_until }) => spent_until)).toEqual([failureEveryMs]);
      },
    );

    it.skipIf(engine.skip).each([
      { one: "alice", other: "alice@example.com" },
      { one: "nobody", other: "nobody@example.com" },
    ])("counts a wrong password for $one and for $other, so that they are not known to be of one", async (row) => {
      await using registry = await openTestRegistry({ engine });
      const { guess, counted } = await openGuesser(registry);

      for (const name of [row.one, row.other]) await guess(name, 0, "the same");

      expect(await counted()).toHaveLength(2);
    });

    it.skipIf(engine.skip).each(["alice", "bob", "nobody"])(
      "answers guesses of %s in a network that alice knows as elsewhere",
      async (login) => {
        await using registry = await openTestRegistry({ engine });
        await registry.user("bob");
        const { guess, guessOften } = await openGuesser(registry);
        const home = { from: "198.51.100.7", now: 0 };
        await guess("alice", home, rightPassword);
        await guessOften(login, 0);

        const answers = [await guess(login, 0), await guess(login, home)];

        expect(answers).toEqual(Array.from({ length: 2 }, () => expect.stringMatching("Too many failed")));
      },
    );

    it.skipIf(engine.skip)("verifies no more passwords in a network without accounts", async () => {
      await using registry = await openTestRegistry({ engine });
      const { guess, guessOften, verified } = await openGuesser(registry);
      await guessOften("alice", 0);
      const seen = verified();

      const answer = await guess("alice", 0, rightPassword);

      expect(answer).toMatch("Too many failed attempts");
      expect(verified()).toBe(seen);
    });

    it.skipIf(engine.skip).each(["alice", "alice@example.com"])(
      "lets a right password of %s end the count in its network, once an hour, on every node",
      async (login) => {
        await using registry = await openTestRegistry({ engine });
        const { guess, guessOften, nextNode } = await openGuesser(registry);
        const hour = 3_600_000;
        await guess(login, hour, rightPassword);
        const roundAt = async (now: number) => {
          await guessOften(login, now, 99);
          nextNode();
          return guess(login, now, rightPassword);
        };

        const first = [await roundAt(hour), await roundAt(hour)];
        const beyond = [await guess(login, hour), await guess(login, hour), await guess(login, hour, rightPassword)];
        const next = [await guess(login, 2 * hour, rightPassword), await roundAt(2 * hour)];

        expect(first).toEqual([true, true]);
        expect(beyond).toEqual([false, expect.stringMatching("Too many failed"), true]);
        expect(next).toEqual([true, true]);
      },
    );

    it.skipIf(engine.skip)(
      "knows an account for 180 days in its newest 32 networks, until its password is set",
      async () => {
        await using registry = await openTestRegistry({ engine });
        const { db, account, guess } = await openGuesser(registry);
        const day = 86_400_000;
        const isKnown = async (address: string, now: number) =>
          (await findClientNetwork(db, account, { address, now })).isKnown;

        for (let n = 0; n < 40; n++) await guess("alice", { from: `198.51.${n}.7`, now: n }, rightPassword);

        const known = await Promise.all(Array.from({ length: 40 }, (_, n) => isKnown(`198.51.${n}.1`, 40)));
        expect(known.lastIndexOf(false)).toBe(7);
        expect(known.filter(Boolean)).toHaveLength(32);
        expect([await isKnown("198.51.39.1", 180 * day), await isKnown("198.51.39.1", 181 * day)]).toEqual([
          true,
          false,
        ]);
        await setPassword({ db }, account, "");
        expect(await isKnown("198.51.39.1", 40)).toBe(false);
      },
    );
  },
);

describe("checkPasswordOf", () => {
  it("counts with those who sign in by the name", async () => {
    await using registry = await openTestRegistry();
    const { context, account, guess, guessOften } = await openGuesser(registry);

    await guessOften("alice", 0, 99);
    const answers = [
      await checkPasswordOf({ ...context, now: 0 }, account, { password: "wrong" }),
      await guess("alice", 0),
    ];

    expect(answers).toEqual([false, "Too many failed attempts: try again in 300 s"]);
  });
});
