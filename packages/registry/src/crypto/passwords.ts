import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { createFairTurns, type FairTurnsOptions } from "../limits/fair-turns.ts";
import { RememberedPasswords } from "./remembered-passwords.ts";

/** The cost parameters of scrypt (RFC 7914 §2). */
export interface PasswordCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** 2^15 rounds over 32 MiB: about 80 ms on today's machines. */
const defaultCost: PasswordCost = { N: 32_768, r: 8, p: 1 };

/** A password to verify. */
export interface PasswordCheck {
  readonly password: string;
  /** The stored hash; undefined if there is no such account. */
  readonly hashed: string | undefined;
  /** The user name or e-mail address that the client sent. */
  readonly login: string;
  /** Whether the account has signed in from the network of the client before: it then has a share of the turns of its own. */
  readonly isKnown?: boolean;
  /** Called before a check that had to wait. It may throw to cancel the check. */
  readonly admit?: () => Promise<unknown>;
}

/** Hashes and verifies the passwords that one client sends. */
export interface Passwords {
  /** The IP address of the client. */
  readonly address: string;
  readonly remembered: RememberedPasswords;
  /**
   * Hashes a new password.
   * @param client whether the client is signed in: it then has a share of the turns of its own
   * @throws RegistryError `too_many_requests`
   */
  hash(password: string, client?: { readonly isSignedIn: boolean }): Promise<string>;
  /** @throws RegistryError `too_many_requests`; errors of `admit` */
  verify(check: PasswordCheck): Promise<boolean>;
}

/** Hashes and verifies the passwords of all clients. */
export interface PasswordService {
  /** @param address the IP address of the client: fair shares are counted by network */
  of(address: () => string): Passwords;
  /** The passwords that were right in this process. */
  readonly remembered: RememberedPasswords;
}

/** How many checks run at once and may wait, and how long. `cost` is for tests. */
export interface PasswordOptions extends FairTurnsOptions {
  readonly cost?: PasswordCost;
}

/**
 * Creates the password service. Each check uses memory and one of the few threads that also read files. Therefore only few checks run
 * at once, and each network and account has a fair share of them. Clients that are signed in, and accounts that have signed in from the
 * network of the client before, have a share of their own.
 */
export function createPasswords({ cost = defaultCost, ...limits }: PasswordOptions): PasswordService {
  const takeTurn = createFairTurns(limits);
  const remembered = new RememberedPasswords();
  return {
    remembered,
    of: (address) => ({
      remembered,
      get address() {
        return address();
      },
      hash: (password, { isSignedIn } = { isSignedIn: false }) =>
        takeTurn({ address: address(), account: "", isKnown: isSignedIn }, () => hashPassword(password, cost)),
      verify: ({ password, hashed, login, isKnown = false, admit }) =>
        takeTurn({ address: address(), account: login, isKnown }, async ({ hasWaited }) => {
          if (hasWaited) await admit?.();
          return verifyPassword(password, hashed, cost);
        }),
    }),
  };
}

/** The longest wait for a turn. */
const patienceMs = 5_000;

/** Half of the threads are left for other work. */
export const defaultTurns = { atOnce: 2, waiting: 100, deadline: () => AbortSignal.timeout(patienceMs) } as const;

/** The hash of a password with a random salt: `scrypt$N$r$p$salt$hash`. */
export async function hashPassword(password: string, cost: PasswordCost = defaultCost): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, cost);
  return ["scrypt", cost.N, cost.r, cost.p, salt.toString("base64url"), hash.toString("base64url")].join("$");
}

/**
 * Whether a password is the one that was hashed. Without a hash it takes the same time, so that the time does not show which accounts
 * exist.
 * @param cost the cost to use without a hash
 */
export async function verifyPassword(
  password: string,
  hashed: string | undefined,
  cost: PasswordCost = defaultCost,
): Promise<boolean> {
  const [scheme, n, r, p, salt = "", hash = ""] = (hashed ?? dummyHash(cost)).split("$");
  const given = await derive(password, Buffer.from(salt, "base64url"), { N: Number(n), r: Number(r), p: Number(p) });
  const expected = Buffer.from(hash, "base64url");
  return (
    hashed !== undefined && scheme === "scrypt" && expected.length === given.length && timingSafeEqual(given, expected)
  );
}

function dummyHash({ N, r, p }: PasswordCost): string {
  return ["scrypt", N, r, p, "AAAAAAAAAAAAAAAAAAAAAA", ""].join("$");
}

function derive(password: string, salt: Uint8Array, cost: PasswordCost): Promise<Buffer> {
  const { N, r } = cost;
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFC"), salt, 32, { ...cost, maxmem: 256 * N * r }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}
