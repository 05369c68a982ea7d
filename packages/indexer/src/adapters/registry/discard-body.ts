import type { HttpResponse } from "./http-client.ts";

const maxDiscardedBytes = 64 * 1024;

/** Ends with a body that nobody wants; a small one is read, so that its connection can be used again. */
export async function discardBody(response: Pick<HttpResponse, "body">): Promise<void> {
  await response.body.dump({ limit: maxDiscardedBytes });
}
