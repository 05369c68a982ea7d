import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect as connectHttp2, constants, createServer as createHttp2Server } from "node:http2";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, it } from "vitest";
import { isClientGone } from "./client-gone.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A request that its client sends, and leaves when it is told to. */
interface Asking {
  leave(): void;
}

const asks: Readonly<Record<string, (port: number) => Asking>> = {
  "HTTP/1.1": (port) => {
    const socket = connect(port, "127.0.0.1")
      .on("error", () => {})
      .resume();
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    return { leave: () => socket.resetAndDestroy() };
  },
  "HTTP/2": (port) => {
    const session = connectHttp2(`http://127.0.0.1:${port}`).on("error", () => {});
    const stream = session
      .request({ ":path": "/" })
      .on("error", () => {})
      .resume();
    stream.on("close", () => session.close());
    return { leave: () => stream.close(constants.NGHTTP2_CANCEL) };
  },
};

async function serve(version: string, answer: Answer) {
  const server = (version === "HTTP/2" ? createHttp2Server(answer as never) : createServer(answer)) as Server;
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

describe.each(Object.keys(asks))("isClientGone over %s", (version) => {
  it.each<[string, Answer, boolean]>([
    ["a client that waits for the whole response", (_, response) => void response.end("x"), false],
    ["a client that leaves before the headers", () => asking?.leave(), true],
    ["a client that leaves within the body", (_, response) => void response.write("x", () => asking?.leave()), true],
  ])("judges %s", async (_, answer, expected) => {
    const closed = Promise.withResolvers<readonly boolean[]>();
    await using server = await serve(version, (request, response) => {
      const before = [isClientGone(request), isClientGone(response)];
      response.once("close", () => closed.resolve([...before, isClientGone(response)]));
      answer(request, response);
    });

    asking = asks[version]?.(server.port);

    expect(await closed.promise).toEqual([false, false, expected]);
    asking?.leave();
  });
});

let asking: Asking | undefined;
