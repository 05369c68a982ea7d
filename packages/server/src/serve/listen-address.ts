import { lookup } from "node:dns/promises";

/** Looks up the address of a name. */
export type LookUp = (name: string) => Promise<{ readonly address: string }>;

/**
 * The one address that a host name stands for; addresses are left as they are. Where `localhost` has two, Fastify would listen at
 * both, by a second server that knows none of the rules about raw requests: long headers, expectations, stalled bodies.
 * @throws the error of the look-up, `ENOTFOUND` for a name without an address
 */
export async function listenAddress(host: string, lookUp: LookUp = lookup): Promise<string> {
  if (host.toLowerCase() !== "localhost") return host;
  const { address } = await lookUp(host);
  return address;
}
