import { invalidRequest } from "../errors.ts";
import { BuildError, type OutgoingGuard } from "../ports.ts";

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
  if (response.body === null) throw invalidRequest(`The archive cannot be fetched: ${hostname} sent none`);
  return response.body;
}
