import { discardBody } from "@plimsoll/outbound";
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
  if (response.ok) return response.body ?? noBytes();
  await discardBody(response);
  if (response.status >= 500 || response.status === 429) throw new Error(`${hostname} answered ${response.status}`);
  throw new BuildError(`The archive cannot be fetched: ${hostname} answered ${response.status}`);
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}
