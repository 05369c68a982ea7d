import { callbackDocument, type Delivery, type Outcome, reasonOf } from "./transport.ts";

/** Options for sending the notifications themselves. */
export interface DirectOptions {
  /** The most notifications of one message; 1 by default. A message is always a JSON array. */
  readonly rollup?: number;
}

/** A message for a broker: a JSON document. */
export interface BrokerMessage {
  /** The id, the same in every repetition of the delivery. */
  readonly id: string;
  readonly body: string;
}

/** The messages of a delivery: one with the address of the notifications, or the notifications in arrays. */
export async function* brokerMessages(delivery: Delivery, direct?: DirectOptions): AsyncGenerator<BrokerMessage> {
  if (direct === undefined) {
    yield { id: delivery.setId, body: callbackDocument(delivery) };
    return;
  }
  const rollup = Math.max(1, direct.rollup ?? 1);
  let number = 0;
  for await (const list of delivery.lists(Math.ceil(pageSize / rollup) * rollup)) {
    for (let at = 0; at < list.length; at += rollup) {
      yield { id: `${delivery.setId}.${++number}`, body: JSON.stringify(list.slice(at, at + rollup)) };
    }
  }
}

/** The least number of notifications read at a time. */
const pageSize = 500;

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
