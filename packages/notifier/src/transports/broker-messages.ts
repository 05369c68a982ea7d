import { callbackDocument, type Delivery } from "./transport.ts";

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
