import { BuildError } from "../ports/building.ts";
import type { OutgoingGuard } from "../ports.ts";

/**
 * Fetches the archive of a build, as a stream.
 * @throws RegistryError for a host that may not be asked
 * @throws BuildError for an answer without an archive
 */
export async function fetchArchive(
  outgoing: OutgoingGuard,
  url: string,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const { hostname } = new URL(url);
  await outgoing.check(hostname);
  const response = await outgoing.send(url, { signal, headers: { accept: "*/*" } });
  if (response.status >= 500 || response.status === 429) throw new Error(`${hostname} answered ${response.status}`);
  if (!response.ok) {
    await response.body?.cancel();
    throw new BuildError(`The archive cannot be fetched: ${hostname} answered ${response.status}`);
  }
  return contentOf(response);
}

/** The body of a response. It keeps the response: undici cancels the body of one that is collected before the body is read. */
async function* contentOf(response: Response): AsyncGenerator<Uint8Array> {
  if (response.body !== null) yield* response.body;
}
