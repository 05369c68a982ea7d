import type { RegistryDb } from "../store/tables/all.ts";
import { KeptLimitReached, type KeptMosts, type KeptName, keptLimits } from "./kept-limits.ts";
import { countOwned, type KeptLimit, lockOwner } from "./queries.ts";

/** The limit, the owner, and the limits in force. */
export interface KeptOf {
  readonly name: KeptName;
  readonly ownerId: string;
  readonly mosts: KeptMosts;
}

/**
 * Checks a limit after rows were added. Must run in their transaction, at its end: it locks the owner, so that several such transactions
 * together do not exceed the limit.
 * @throws KeptLimitReached
 */
export async function checkKept(db: RegistryDb, { name, ownerId, mosts }: KeptOf): Promise<void> {
  const most = mosts[name];
  const limit: KeptLimit = keptLimits[name];
  await lockOwner(db, limit.per, ownerId);
  if ((await countOwned(db, limit, { ownerId, upTo: most + 1 })) > most) throw new KeptLimitReached(name, most);
}
