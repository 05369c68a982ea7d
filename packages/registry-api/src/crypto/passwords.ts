import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { createTurns } from "../take-turns.ts";

/** 2^15 rounds over 32 MiB: about 80 ms on the machines of today (RFC 7914 §2). */
const cost = { N: 32_768, r: 8, p: 1 };

/** Hashes and verifies passwords for whoever asks, a few at a time. */
export interface Passwords {
  /** @throws RegistryError `too_many_requests` */
  hash(password: string): Promise<string>;
  /** @throws RegistryError `too_many_requests` */
  verify(password: string, hashed: string | null): Promise<boolean>;
}

/**
 * Passwords that are slow to guess, and do not keep the process from its other work: they take turns, since each takes memory and
 * one of the few threads that files are read with.
 */
export function createPasswords({ atOnce, waiting }: { readonly atOnce: number; readonly waiting: number }): Passwords {
  const takeTurn = createTurns({ atOnce, waiting });
  return {
    hash: (password) => takeTurn(() => hashPassword(password)),
    verify: (password, hashed) => takeTurn(() => verifyPassword(password, hashed)),
  };
}

/** What leaves half of the threads to others, and nobody waiting for more than a few seconds. */
export const usualTurns = { atOnce: 2, waiting: 100 } as const;

/** The hash of a password with a salt of its own, `scrypt$N$r$p$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, cost);
  return ["scrypt", cost.N, cost.r, cost.p, salt.toString("base64url"), hash.toString("base64url")].join("$");
}

/** Whether a password is the one that was hashed. As slow where there is no hash, so that nobody learns who exists. */
export async function verifyPassword(password: string, hashed: string | null): Promise<boolean> {
  const [scheme, n, r, p, salt = "", hash = ""] = (hashed ?? nobodys).split("$");
  const given = await derive(password, Buffer.from(salt, "base64url"), { N: Number(n), r: Number(r), p: Number(p) });
  const expected = Buffer.from(hash, "base64url");
  return hashed !== null && scheme === "scrypt" && expected.length === given.length && timingSafeEqual(given, expected);
}

const nobodys = ["scrypt", cost.N, cost.r, cost.p, "AAAAAAAAAAAAAAAAAAAAAA", ""].join("$");

function derive(password: string, salt: Uint8Array, options: Pick<ScryptOptions, "N" | "r" | "p">): Promise<Buffer> {
  const { N = cost.N, r = cost.r } = options;
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFC"), salt, 32, { ...options, maxmem: 256 * N * r }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}
