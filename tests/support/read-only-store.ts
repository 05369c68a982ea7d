import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A way to an S3 store on which writes can be refused. */
export interface GuardedStore extends AsyncDisposable {
  readonly endpoint: string;
  takesWrites: boolean;
  /** How many requests were refused. */
  refused: number;
}

/** Starts a proxy before a store. Requests go on as they are, with the `Host` that they were signed with. */
export async function guardStore(endpoint: string): Promise<GuardedStore> {
  const server = createServer((incoming, outgoing) => {
    const isRead = incoming.method === "GET" || incoming.method === "HEAD";
    if (isRead || guarded.takesWrites) passOn(endpoint, incoming, outgoing);
    else refuse(incoming, outgoing);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const refuse = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    guarded.refused++;
    incoming.resume();
    outgoing.writeHead(403, { "content-type": "application/xml" });
    outgoing.end("<Error><Code>AccessDenied</Code><Message>Access Denied.</Message></Error>");
  };
  const guarded: GuardedStore = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    takesWrites: true,
    refused: 0,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return guarded;
}

function passOn(endpoint: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method = "GET", url = "/" } = incoming;
  const headers = { ...incoming.headers, connection: "close" };
  const sent = request(`${endpoint}${url}`, { method, headers, agent: false }, (answer) => {
    const { connection: _, ...others } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 502, others);
    if (method === "HEAD") outgoing.end();
    else answer.pipe(outgoing);
  });
  // Swift answers a HEAD with a body now and then.
  sent.on("error", () => outgoing.headersSent || outgoing.destroy());
  incoming.pipe(sent);
}
