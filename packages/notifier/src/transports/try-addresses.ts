import { type Outcome, reasonOf } from "./transport.ts";

/**
 * Tries one address after the other until `send` succeeds.
 * @param nameOf what to call an address in messages: without credentials
 * @throws whatever aborted the signal
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
