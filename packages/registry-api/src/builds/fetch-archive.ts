import { BuildError } from "../ports/building.ts";
import type { OutgoingGuard } from "../ports.ts";

/**
 * Fetches the archive of a build, as a stream.
 * @throws RegistryError for a forbidden host
 * @throws BuildError for a response without an archive; other errors for failures that a retry may mend
 */
export async function fetchArchive(
  outgoing: OutgoingGuard,
  url: string,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const { hostname } = new URL(url);
  await outgoing.check(hostname);
  const response = await outgoing.send(url, { signal, headers: { accept: "*/*" } });
  if (response.ok) return contentOf(response);
  await response.body?.cancel();
  if (response.status >= 500 || response.status === 429) throw new Error(`${hostname} answered ${response.status}`);
  throw new BuildError(`The archive cannot be fetched: ${hostname} answered ${response.status}`);
}

/** The body of a response. It keeps a reference to the response: undici cancels a body when its response is garbage-collected. */
async function* contentOf(response: Response): AsyncGenerator<Uint8Array> {
  if (response.body !== null) yield* response.body;
}
