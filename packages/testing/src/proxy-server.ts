import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";

/** A request that a proxy received. */
export interface ProxiedRequest {
  /** `GET http://host/path` or `CONNECT host:port` */
  readonly line: string;
  readonly authorization: string | undefined;
}

/** A proxy on the loopback interface that forwards plain requests and opens tunnels. */
export interface ProxyServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly ProxiedRequest[];
  /** Sets the port of this machine that a host name leads to. Requests to other names are answered with 502. */
  lead(host: string, port: number): void;
}

/** Starts a proxy. */
export async function startProxyServer(): Promise<ProxyServer> {
  const requests: ProxiedRequest[] = [];
  const ports = new Map<string, number>();
  const tunnels = new Set<Socket>();
  const note = ({ method, url, headers }: IncomingMessage) =>
    requests.push({ line: `${method} ${url}`, authorization: headers["proxy-authorization"] });
  const server = createServer((incoming, outgoing) => {
    note(incoming);
    const url = new URL(incoming.url ?? "");
    passOn(incoming, outgoing, { url, port: ports.get(url.hostname) });
  });
  server.on("connect", (incoming: IncomingMessage, client: Duplex) => {
    note(incoming);
    const port = ports.get(incoming.url?.replace(/:\d+$/, "") ?? "");
    if (port === undefined) return void client.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    const tunnel = connect(port, "127.0.0.1", () => client.write("HTTP/1.1 200 OK\r\n\r\n"));
    tunnels.add(tunnel);
    tunnel.on("error", () => client.destroy()).on("close", () => client.destroy());
    client.on("error", () => tunnel.destroy()).on("close", () => tunnel.destroy());
    tunnel.pipe(client).pipe(tunnel);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    lead: (host, port) => void ports.set(host, port),
    [Symbol.asyncDispose]: async () => {
      for (const tunnel of tunnels) tunnel.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function passOn(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { url, port }: { readonly url: URL; readonly port: number | undefined },
): void {
  if (port === undefined) return void outgoing.writeHead(502).end();
  const path = url.pathname + url.search;
  const { method, headers } = incoming;
  const passed = request({ host: "127.0.0.1", port, path, method, headers, agent: false }, (answer) => {
    answer.pipe(outgoing.writeHead(answer.statusCode ?? 502, answer.headers));
  });
  passed.on("error", () => outgoing.destroy());
  incoming.pipe(passed);
}
