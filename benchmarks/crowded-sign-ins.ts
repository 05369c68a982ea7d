/**
 * Sign-ins with a password while one owner of many networks sends wrong passwords without pauses: how many are answered, and how long they
 * take, beside sign-ins while nothing else is sent. The crowd is in one IPv6 /48, in one IPv4 /16, and in the network of the user.
 *
 *     node --conditions=plimsoll-source benchmarks/crowded-sign-ins.ts [CLIENTS]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import { percentile } from "./lib/percentile.ts";
import { call, joinRegistry, startRegistry } from "./lib/registry.ts";
import type { Serving } from "./lib/serving.ts";

const clients = Number(process.argv[2] ?? 200);
const signIns = 14;
const home = "198.51.100.7";
const crowds: readonly (readonly [what: string, address: (n: number) => string])[] = [
  ["a /48 of IPv6", (n) => `2001:db8:1:${(n % 65_536).toString(16)}::1`],
  ["a /16 of IPv4", (n) => `203.0.${n % 256}.${1 + ((n >> 8) % 250)}`],
  ["the user's own address", () => home],
];
const scratch = mkdtempSync(join(tmpdir(), "plimsoll-benchmark-"));
const crowdAgent = new Agent({ connections: clients });
const userAgent = new Agent();

try {
  using first = await startRegistry(scratch);
  const users = await createUsers(signIns * (crowds.length + 1));
  for (const user of users) await signIn(first, { ...user, address: home, dispatcher: userAgent }); // so that they are known there
  using registry = await joinRegistry(scratch, first.database); // it remembers no right password, so it checks each
  const calm = await measure("nothing else", 0, () => home);
  for (const [what, address] of crowds) {
    const crowded = await measure(what, clients, address);
    console.log(`  p50 ${(crowded / calm).toFixed(1)} times that of sign-ins alone`);
  }

  async function createUsers(count: number): Promise<Credentials[]> {
    const users: Credentials[] = [];
    for (let n = 0; n < count; n++) {
      const body = { username: `user-${n}`, email: `user-${n}@example.com` };
      const authorization = first.bearer;
      const created = await call(first, { method: "POST", path: "/api/v1/superuser/users/", authorization, body });
      users.push(created as Credentials);
    }
    return users;
  }

  /** Prints how sign-ins of a user go while clients of a crowd guess. @returns the median in milliseconds */
  async function measure(what: string, crowd: number, address: (n: number) => string): Promise<number> {
    let [sent, isOver] = [0, false];
    const guess = async () => {
      while (!isOver) {
        const n = sent++;
        const guessed = { username: `guessed-${n}`, password: "wrong-password" };
        await signIn(registry, { ...guessed, address: address(n), dispatcher: crowdAgent }).catch(() => {});
      }
    };
    const guessing = Promise.all(Array.from({ length: crowd }, guess));
    const took: number[] = [];
    let refused = 0;
    for (const user of users.splice(0, signIns)) {
      const startedAt = performance.now();
      const status = await signIn(registry, { ...user, address: home, dispatcher: userAgent });
      took.push(performance.now() - startedAt);
      if (status !== 200) refused++;
    }
    isOver = true;
    await guessing;
    const [p50, p99] = [0.5, 0.99].map((part) => percentile(took, part));
    console.log(
      `${what}: ${signIns - refused} of ${signIns} answered, p50 ${p50?.toFixed(0)} ms, p99 ${p99?.toFixed(0)} ms, ${sent} guesses`,
    );
    return p50 ?? Number.NaN;
  }
} finally {
  await crowdAgent.close();
  await userAgent.close();
  rmSync(scratch, { recursive: true });
}

interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Signs in at the token service, from an address that a trusted proxy names. @returns the status */
async function signIn(
  { address: server }: Pick<Serving, "address">,
  { username, password, address, dispatcher }: Credentials & { readonly address: string; readonly dispatcher: Agent },
): Promise<number> {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  const url = `${server}/v2/auth?service=${new URL(server).host}`;
  const answer = await request(url, { headers: { authorization, "x-forwarded-for": address }, dispatcher });
  await answer.body.dump();
  return answer.statusCode;
}
