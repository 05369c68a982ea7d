import { once } from "node:events";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** A node behind a balancer. */
export interface BalancedNode {
  readonly url: string;
  /** Where `/readyz` is, at the moment. */
  healthUrl: string;
}

/** A reverse proxy that leads requests to nodes that are ready, and tries none again. */
export interface Balancer extends AsyncDisposable {
  readonly url: string;
  /** Resolves when a node is known to be ready. */
  waitUntilReady(node: BalancedNode): Promise<void>;
}

/** How often nodes are asked whether they are ready. */
const checkEveryMs = 100;

/** What a node is told of a request. */
export interface BalancerOptions {
  /** Whether a node is asked by its own name, and told in `X-Forwarded-Host` by which one the client asked. */
  readonly forwardsHost?: boolean;
}

/** Starts a balancer on the loopback interface. */
export async function startBalancer(
  nodes: readonly BalancedNode[],
  { forwardsHost = false }: BalancerOptions = {},
): Promise<Balancer> {
  const ready = new Set(nodes);
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const candidates = nodes.filter((node) => ready.has(node));
    const node = candidates[turn++ % candidates.length];
    if (node === undefined) return void outgoing.writeHead(502).end("no node is ready");
    const { method = "GET" } = incoming;
    const { host } = incoming.headers;
    const named = forwardsHost && host !== undefined ? { host: new URL(node.url).host, "x-forwarded-host": host } : {};
    const headers = { ...incoming.headers, ...named };
    const sent = request(new URL(incoming.url ?? "/", node.url), { method, headers, agent }, (answer) => {
      const { connection: _, ...others } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, others);
      answer.pipe(outgoing);
    });
    sent.on("error", (error) => outgoing.writeHead(502).end(String(error)));
    incoming.pipe(sent);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const check = async (node: BalancedNode) => {
    const isReady = await fetch(`${node.healthUrl}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) ready.add(node);
    else ready.delete(node);
  };
  const timer = setInterval(() => void Promise.all(nodes.map(check)), checkEveryMs);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async waitUntilReady(node) {
      while (!ready.has(node)) await new Promise((resolve) => setTimeout(resolve, checkEveryMs));
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
