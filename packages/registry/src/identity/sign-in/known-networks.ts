import type { AccountRow } from "../../access/queries.ts";
import { customerNetwork } from "../../limits/address-limit.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { forgiveFailuresOf } from "./failed-sign-ins.ts";
import { deleteOlderSignInNetworks, findSignInFrom, hasSignInSince, putSignInNetwork } from "./queries/sign-ins.ts";

/** How long a sign-in makes the network known, so that accounts which rarely sign in stay known. */
const rememberedMs = 180 * 86_400_000;

/** How much later the next sign-in from the same network is stored: so that most sign-ins write nothing. */
const renewedMs = 86_400_000;

/** How many networks of an account are kept. */
const keptNetworks = 32;

/** The network from which a client signs in, and what is known of the account there. */
export interface ClientNetwork {
  readonly network: string;
  /** Whether the account has signed in from the network before. */
  readonly isKnown: boolean;
  /** Whether the next success is to be stored. */
  readonly isDue: boolean;
}

/** The network of a client, and whether an account has signed in from it. For an unknown account the look-up is the same. */
export async function findClientNetwork(
  db: RegistryDb,
  account: Pick<AccountRow, "id"> | undefined,
  { address, now }: { readonly address: string; readonly now: number },
): Promise<ClientNetwork> {
  const network = customerNetwork(address);
  const seenAt = await findSignInFrom(db, { accountId: account?.id ?? "", network });
  const isKnown = seenAt !== undefined && seenAt > now - rememberedMs;
  return { network, isKnown, isDue: seenAt === undefined || seenAt <= now - renewedMs };
}

/** Whether any account has signed in from a network. */
export function hasKnownAccounts(db: RegistryDb, network: string, now: number): Promise<boolean> {
  return hasSignInSince(db, network, now - rememberedMs);
}

/** Remembers that an account signed in from a network. The oldest networks of the account are forgotten. */
export async function rememberNetwork(
  db: RegistryDb,
  { id: accountId }: Pick<AccountRow, "id">,
  { network, now }: { readonly network: string; readonly now: number },
): Promise<void> {
  await putSignInNetwork(db, { accountId, network }, now);
  await deleteOlderSignInNetworks(db, accountId, keptNetworks);
}

/** Notes a sign-in: its network is known from now on, and wrong passwords are forgiven. */
export async function noteSignInFrom(
  db: RegistryDb,
  account: Pick<AccountRow, "id">,
  { address, now }: { readonly address: string; readonly now: number },
): Promise<void> {
  const { network, isDue } = await findClientNetwork(db, account, { address, now });
  await forgiveFailuresOf(db, account, now);
  if (isDue) await rememberNetwork(db, account, { network, now });
}
