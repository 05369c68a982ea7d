import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";

/** A server before another that sees every request. */
export interface HttpFront extends AsyncDisposable {
  readonly url: string;
}

/** Starts a server that passes requests on to another, whose host they keep naming as they came. */
export async function startFront(
  target: string,
  onRequest: (method: string, path: string) => void,
): Promise<HttpFront> {
  const server = createServer((asked, answer) => {
    onRequest(asked.method ?? "", asked.url ?? "");
    const { method, headers, url } = asked;
    const passed = request(new URL(url ?? "/", target), { method, headers }, (given) => {
      if (answer.destroyed) return void given.destroy();
      answer.writeHead(given.statusCode ?? 502, given.headers);
      pipeline(given, answer, () => {});
    });
    passed.on("error", () => answer.destroy());
    pipeline(asked, passed, () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
