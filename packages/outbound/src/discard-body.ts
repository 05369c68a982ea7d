import type { OutboundResponse } from "./outbound-response.ts";

const maxDiscardedBytes = 64 * 1024;

/**
 * Discards an unneeded body. A small one is read, so that its connection can be reused.
 * @example
 * declare const response: OutboundResponse;
 * if (response.status === 404) await discardBody(response);
 */
export async function discardBody(response: Pick<OutboundResponse, "body">): Promise<void> {
  await response.body.dump({ limit: maxDiscardedBytes });
}
