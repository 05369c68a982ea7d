import { once } from "node:events";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";

/** What was moved through a {@link CountingFront}, and how long it took. */
export interface Moved {
  /** Of the bodies of answers. */
  readonly bytes: number;
  readonly seconds: number;
}

/** A server before another that counts what that one answers. */
export interface CountingFront extends AsyncDisposable {
  readonly url: string;
  measure(work: () => Promise<void>): Promise<Moved>;
}

/** Starts a server before another, on the loopback interface. */
export async function countingFront(target: string): Promise<CountingFront> {
  const agent = new Agent({ keepAlive: true });
  let bytes = 0;
  const server = createServer((asked, answer) => {
    const { method, headers, url } = asked;
    const passed = request(new URL(url ?? "/", target), { method, headers, agent }, (given) => {
      given.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      answer.writeHead(given.statusCode ?? 502, given.headers);
      pipeline(given, answer, () => {});
    });
    passed.on("error", () => answer.destroy());
    pipeline(asked, passed, () => {});
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async measure(work) {
      const before = bytes;
      const startedAt = performance.now();
      await work();
      return { bytes: bytes - before, seconds: (performance.now() - startedAt) / 1000 };
    },
    async [Symbol.asyncDispose]() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}
