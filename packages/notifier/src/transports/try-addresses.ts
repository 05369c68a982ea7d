import { type Outcome, reasonOf } from "./transport.ts";

/**
 * Tries one address after another until `send` succeeds.
 * @param nameOf the name of an address in messages, without credentials
 * @throws the reason of the signal if it is aborted
 */
export async function tryAddresses<Address>(
  addresses: readonly Address[],
  { nameOf, signal }: { readonly nameOf: (address: Address) => string; readonly signal: AbortSignal },
  send: (address: Address) => Promise<void>,
): Promise<Outcome> {
  const reasons: string[] = [];
  for (const address of addresses) {
    try {
      await send(address);
      return { kind: "delivered" };
    } catch (error) {
      signal.throwIfAborted();
      reasons.push(`${nameOf(address)}: ${reasonOf(error)}`);
    }
  }
  return { kind: "retry", reason: reasons.join("; ") };
}
