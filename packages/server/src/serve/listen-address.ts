import { lookup } from "node:dns/promises";

/** Resolves the address of a name. */
export type LookUp = (name: string) => Promise<{ readonly address: string }>;

/**
 * Resolves `localhost` to one address; other hosts are returned unchanged. If `localhost` has two addresses, Fastify would listen on
 * both with a second server, which lacks the rules for raw requests: long headers, expectations, stalled bodies.
 * @throws the error of the resolver, `ENOTFOUND` for a name without an address
 */
export async function listenAddress(host: string, lookUp: LookUp = lookup): Promise<string> {
  if (host.toLowerCase() !== "localhost") return host;
  const { address } = await lookUp(host);
  return address;
}
