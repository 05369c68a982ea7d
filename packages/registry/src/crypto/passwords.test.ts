import { describe, expect, it } from "vitest";
import { quickPasswords } from "../fixtures/quick-passwords.ts";
import { createPasswords, hashPassword, verifyPassword } from "./passwords.ts";

describe("verifyPassword", () => {
  it("verifies a password in any Unicode normalization", async () => {
    const hashed = await hashPassword("caf\u00e9-au-lait");

    expect(hashed).toMatch(/^scrypt\$32768\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    expect(await verifyPassword("cafe\u0301-au-lait", hashed)).toBe(true);
    expect(await verifyPassword("cafe-au-lait", hashed)).toBe(false);
  });

  it("verifies no password without a hash", async () => {
    expect(await verifyPassword("", undefined)).toBe(false);
  });
});

describe("createPasswords", () => {
  it("lets a limited number wait, and refuses further ones", async () => {
    const passwords = createPasswords({ ...quickPasswords, atOnce: 1, waiting: 2 }).of(() => "192.0.2.1");

    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => passwords.hash("correct-horse")));

    expect(answers.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "fulfilled",
      "rejected",
      "rejected",
    ]);
    expect(answers.at(-1)).toMatchObject({ reason: { code: "too_many_requests", retryAfterSeconds: 1 } });
    expect(await passwords.hash("correct-horse")).toMatch(/^scrypt/);
  });

  it("gives the turn on when the work fails", async () => {
    const passwords = createPasswords({ ...quickPasswords, atOnce: 1, waiting: 1 }).of(() => "192.0.2.1");
    const broken = "scrypt$3$8$1$AAAA$AAAA"; // N must be a power of two

    await expect(passwords.verify({ password: "x", hashed: broken, login: "alice" })).rejects.toThrow();

    expect(await passwords.verify({ password: "x", hashed: undefined, login: "alice" })).toBe(false);
  });

  it("serves one network soon while another one sends many requests", async () => {
    const passwords = createPasswords({ ...quickPasswords, atOnce: 1, waiting: 20 });
    const answered: string[] = [];
    const ask = (address: string) =>
      passwords
        .of(() => address)
        .verify({ password: "x", hashed: undefined, login: address })
        .then(
          () => void answered.push(address),
          () => {},
        );

    await Promise.all([...Array.from({ length: 40 }, () => ask("192.0.2.1")), ask("192.0.2.2")]);

    expect(answered.indexOf("192.0.2.2")).toBeLessThan(4);
  });

  it("calls `admit` before a check that had to wait", async () => {
    const passwords = createPasswords({ ...quickPasswords, atOnce: 1, waiting: 1 }).of(() => "192.0.2.1");
    const admit = () => Promise.reject(new Error("locked meanwhile"));

    const first = passwords.verify({ password: "x", hashed: undefined, login: "alice", admit });
    const second = passwords.verify({ password: "x", hashed: undefined, login: "alice", admit });

    await expect(second).rejects.toThrow("locked");
    expect(await first).toBe(false);
  });
});
