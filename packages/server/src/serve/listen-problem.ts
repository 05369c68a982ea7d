import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { createServer } from "node:net";

/** The address that a server tried to listen on, and the setting of its port. */
export interface ListenPlace {
  readonly host: string;
  readonly port: number;
  /** The setting of the port. */
  readonly setting: string;
}

/** Replaces a known error of listening by one that says what is wrong and what to do; other errors are returned unchanged. */
export function listenProblem(error: unknown, { host, port, setting }: ListenPlace): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const problem = problems[code]?.(host, port, setting);
  return problem === undefined ? error : new Error(problem, { cause: error });
}

type Problem = (host: string, port: number, setting: string) => string;

const noAddress: Problem = (host) =>
  `host: ${host} is not an address of this machine: choose one of its addresses; 0.0.0.0 and :: mean all of them`;
const noName: Problem = (host) => `host: the name ${host} has no address: write an address, or a name that has one`;

const problems: Readonly<Record<string, Problem>> = {
  EACCES: (_, port, setting) =>
    `${setting}: this user may not listen on port ${port}: choose one from 1024 on, or let a proxy listen there`,
  EADDRINUSE: (host, port, setting) =>
    `${setting}: another program listens on ${host}:${port}: stop it, or choose another port`,
  EADDRNOTAVAIL: noAddress,
  EAFNOSUPPORT: noAddress,
  EAI_AGAIN: noName,
  EINVAL: noAddress,
  ENOTFOUND: noName,
};

type Place = Pick<ListenPlace, "host" | "port">;

/** Listens and returns the result. @throws Error with the reason and what to do */
export async function listenOrExplain<Result>(
  place: ListenPlace,
  listen: (place: Place) => Promise<Result>,
): Promise<Result> {
  const { host, port } = place;
  try {
    return await listen({ host: await listenAddress(host), port });
  } catch (error) {
    throw listenProblem(error, place);
  }
}

/** Resolves the address of a name. */
type LookUp = (name: string) => Promise<{ readonly address: string }>;

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

/**
 * Checks that a service can listen: it listens at each place for a moment. Two places with one port, other than 0, are a problem as well.
 * @throws Error with the reason and what to do
 */
export async function checkPorts(places: readonly ListenPlace[]): Promise<void> {
  await using opened = new AsyncDisposableStack();
  for (const place of places) {
    await listenOrExplain(place, async (where) => {
      const server = createServer().listen(where);
      await once(server, "listening");
      opened.use(server);
    });
  }
}
