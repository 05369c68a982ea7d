import { once } from "node:events";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";

/** A server before another that sees every request. */
export interface HttpFront extends AsyncDisposable {
  readonly url: string;
}

/** What is told of what passes. */
export interface FrontWatch {
  /** A request waits for what it returns. */
  readonly onRequest?: (method: string, path: string) => unknown;
  /** The answer to a request that is not passed on; undefined for one that is. */
  readonly answerInstead?: (method: string, path: string) => FrontAnswer | undefined;
  /** Called for each piece of the body of an answer. */
  readonly onAnswered?: (bytes: number) => void;
}

/** An answer of the front itself. */
export interface FrontAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Starts a server that passes requests on to another, whose host they keep naming as they came. */
export async function startFront(
  target: string,
  { onRequest, answerInstead, onAnswered }: FrontWatch,
): Promise<HttpFront> {
  const agent = new Agent({ keepAlive: true });
  const server = createServer(async (asked, answer) => {
    await onRequest?.(asked.method ?? "", asked.url ?? "");
    const own = answerInstead?.(asked.method ?? "", asked.url ?? "");
    if (own !== undefined) return void answer.writeHead(own.status, own.headers).end();
    const { method, headers, url } = asked;
    const passed = request(new URL(url ?? "/", target), { method, headers, agent }, (given) => {
      if (answer.destroyed) return void given.destroy();
      if (onAnswered !== undefined) given.on("data", (chunk: Buffer) => onAnswered(chunk.length));
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
      agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}
