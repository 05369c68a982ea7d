import { once } from "node:events";
import { connect, createServer, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { limitHttp2 } from "./http2-budget.ts";

/** A clock that goes on with each look at it, so that every step takes all the time of its turn. */
function hurriedClock(): () => number {
  let at = 0;
  return () => (at += 1_000);
}

describe("limitHttp2", () => {
  it("begins requests that arrive at once in several turns of the event loop, one of each connection after the other", async () => {
    const server = createServer();
    const begun: string[] = [];
    let turn = 0;
    server.on("stream", (stream: ServerHttp2Stream, { ":path": path }) => {
      begun.push(`${turn} ${path}`);
      stream.respond({ ":status": 204 }, { endStream: true });
    });
    using _ = limitHttp2(server, { onCut: () => {}, now: hurriedClock() });
    const count = () => {
      turn += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const clients = ["a", "b"].map((name) => ({ name, session: connect(`http://127.0.0.1:${port}`) }));
    await Promise.all(clients.map(({ session }) => once(session, "connect")));

    const answers = clients.flatMap(({ name, session }) =>
      Array.from({ length: 20 }, (_, at) => once(session.request({ ":path": `/${name}${at}` }), "response")),
    );
    await Promise.all(answers);

    clearImmediate(counting);
    for (const { session } of clients) session.destroy();
    server.close();
    expect(new Set(begun.map((each) => each.split(" ")[0])).size).toBe(40);
    const ofOne = begun.flatMap((each) => /\/a(\d+)$/.exec(each)?.[1] ?? []);
    expect(ofOne).toEqual(Array.from({ length: 20 }, (_, at) => `${at}`));
  });
});
