import { callbackDocument, type Delivery } from "./transport.ts";

/** How the notifications themselves are sent. */
export interface DirectOptions {
  /** Notifications of one message; 1 where absent. A message is a JSON array even then. */
  readonly rollup?: number;
}

/** What a broker is given: a JSON document. */
export interface BrokerMessage {
  /** The same whenever the delivery is repeated. */
  readonly id: string;
  readonly body: string;
}

/** The messages of a delivery: one that says where the notifications are, or the notifications in arrays. */
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

/** Notifications that are read at a time. */
const pageSize = 500;
