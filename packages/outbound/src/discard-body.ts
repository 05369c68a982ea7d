import type { OutboundResponse } from "./outbound-response.ts";

const maxDiscardedBytes = 64 * 1024;

/**
 * Ends with a body that is not wanted; a small one is read, so that its connection can be used again.
 * @example
 * declare const response: OutboundResponse;
 * if (response.status === 404) await discardBody(response);
 */
export async function discardBody(response: Pick<OutboundResponse, "body">): Promise<void> {
  await response.body.dump({ limit: maxDiscardedBytes });
}
