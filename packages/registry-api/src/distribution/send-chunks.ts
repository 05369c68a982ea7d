import type { ServerResponse } from "node:http";

/** Sends a body whose chunks share memory: each is written to the system before the next one is requested. */
export async function sendChunks(response: ServerResponse, source: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of source) await write(response, chunk);
  response.end();
}

/** Rejects when the client has gone. */
function write(response: ServerResponse, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    response.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}
