import { createHmac } from "node:crypto";
import { LRUCache } from "lru-cache";
import { entriesUpTo } from "../limits/entries-up-to.ts";
import { randomKey } from "./secrets.ts";

/** A password that a client has sent. */
export interface ShownPassword {
  readonly password: string;
  /** The id of the account, or the login if no account has it. */
  readonly owner: string;
  /** Changes with the credentials of the account. */
  readonly version?: string | undefined;
  /** The network of the client. */
  readonly network: string;
}

/** What a process knows of a password: `fresh`, it was right in the last minutes; `earlier`, it was right before, and has to be checked again. */
export type Recalled = "fresh" | "earlier" | undefined;

interface RightPassword {
  readonly fingerprint: string;
  readonly checkedAt: number;
  /** When the other passwords that were tried no longer count. */
  triedUntil: number;
  forgivenAt: number;
}

/** How long a right password is not checked again, since a push sends it with each of many requests. */
const freshMs = 300_000;

/** How many passwords are remembered, of accounts in networks. The least recently used is forgotten first. */
const most = 10_000;

/**
 * How many other passwords may be tried in the network of a remembered one before it waits like any other, and how often one more: as
 * long as it does not wait, the answers tell whether a guess is right.
 */
const triesAtOnce = 1000;
const tryEveryMs = 300_000;

/** How often the use of a remembered password is reported. */
const reportedEveryMs = 10_000;

/**
 * The right passwords of this process, by account and network, so that they need not wait for the wrong ones of others. Only
 * fingerprints are kept, made with a key that is never stored. A password that was right in one network is unknown in all others.
 */
export class RememberedPasswords {
  readonly #key = randomKey();
  readonly #right = new LRUCache<string, RightPassword>(entriesUpTo(most));
  /** The fingerprints of other passwords. */
  readonly #tried = new LRUCache<string, true>(entriesUpTo(most));
  readonly #counted = new LRUCache<string, true>(entriesUpTo(most));

  /** @param now epoch milliseconds */
  recall(shown: ShownPassword, now: number): Recalled {
    const right = this.#right.get(placeOf(shown));
    if (right === undefined) return undefined;
    const fingerprint = this.fingerprintOf(shown);
    if (right.fingerprint !== fingerprint) {
      if (!this.#isAmong(this.#tried, fingerprint)) right.triedUntil = Math.max(right.triedUntil, now) + tryEveryMs;
      return undefined;
    }
    if (right.triedUntil - now > triesAtOnce * tryEveryMs) return undefined;
    return now < right.checkedAt + freshMs ? "fresh" : "earlier";
  }

  /** Remembers that a password is right now. */
  remember(shown: ShownPassword, now: number): void {
    const place = placeOf(shown);
    const { triedUntil = 0 } = this.#right.get(place) ?? {};
    this.#right.set(place, { fingerprint: this.fingerprintOf(shown), checkedAt: now, triedUntil, forgivenAt: now });
  }

  /** Forgets the password of an account in a network, which is no longer right. */
  forget(shown: ShownPassword): void {
    this.#right.delete(placeOf(shown));
  }

  /** Notes a wrong password. @returns whether it was noted before: a program that repeats an old password guesses nothing new */
  isRepeated(shown: ShownPassword): boolean {
    return this.#isAmong(this.#counted, this.fingerprintOf(shown));
  }

  /** Whether it is time to end the count of wrong passwords, as a remembered one was used. @returns true every few seconds */
  isReportDue(shown: ShownPassword, now: number): boolean {
    const right = this.#right.get(placeOf(shown));
    if (right === undefined || now < right.forgivenAt + reportedEveryMs) return false;
    right.forgivenAt = now;
    return true;
  }

  /** A name for a password of an account in a network, which does not reveal the password. */
  fingerprintOf({ owner, version, network, password }: ShownPassword): string {
    return createHmac("sha256", this.#key)
      .update(JSON.stringify([owner, version, network, password]))
      .digest("base64url");
  }

  #isAmong(noted: LRUCache<string, true>, fingerprint: string): boolean {
    const isNoted = noted.has(fingerprint);
    noted.set(fingerprint, true);
    return isNoted;
  }
}

function placeOf({ owner, network }: ShownPassword): string {
  return JSON.stringify([owner, network]);
}
