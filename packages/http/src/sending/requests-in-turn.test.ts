import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate as turn } from "node:timers/promises";
import fastify from "fastify";
import { describe, expect, it } from "vitest";
import { askForBodies } from "../expect-continue.ts";
import { prepareBodies } from "../prepare-bodies.ts";
import { takeRequestsInTurn, type WaitingLimits } from "./requests-in-turn.ts";

/** A server that says how many requests it answers at the same time. */
async function start(limits?: WaitingLimits) {
  const app = fastify({ forceCloseConnections: true });
  prepareBodies(app);
  askForBodies(app);
  const lines = takeRequestsInTurn(app, limits);
  const counts = { begun: 0, running: 0, most: 0 };
  const gate = Promise.withResolvers<void>();
  app.post("/held", async () => {
    counts.begun += 1;
    await gate.promise;
    return "held";
  });
  app.get("/:name", async ({ params }) => {
    counts.begun += 1;
    counts.most = Math.max(counts.most, ++counts.running);
    await turn();
    counts.running -= 1;
    return (params as { readonly name: string }).name;
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { promise: left, resolve } = Promise.withResolvers<void>();
  app.server.once("connection", (accepted: Socket) => void accepted.once("close", () => resolve()));
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  return { socket, left, lines, counts, open: gate.resolve, [Symbol.asyncDispose]: () => app.close() };
}

const head = (method: string, path: string, more = "") => `${method} ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;

describe("takeRequestsInTurn", () => {
  it("answers thousands of pipelined requests one after the other", async () => {
    await using server = await start();
    const names = Array.from({ length: 3_000 }, (_, at) => `n${at}`);
    server.socket.write(names.map((name) => head("GET", `/${name}`)).join(""));
    server.socket.write(head("GET", "/last", "Connection: close\r\n"));

    const answered = await text(server.socket);

    expect(answered.match(/^(?:n\d+|last)(?=HTTP|$)/gm)).toEqual([...names, "last"]);
    expect(server.counts.most).toBe(1);
  });

  it("begins a request when the response before it was sent", async () => {
    await using server = await start();
    server.socket.write(
      head("POST", "/held", "Content-Length: 0\r\n") + head("GET", "/second", "Connection: close\r\n"),
    );
    await expect.poll(() => server.counts.begun).toBe(1);
    for (let turns = 0; turns < 20; turns++) await turn();
    expect(server.counts.begun).toBe(1);

    server.open();

    expect(await text(server.socket)).toMatch(/held.*second$/s);
  });

  it("drops requests that wait when the client leaves", async () => {
    await using server = await start();
    server.socket.write(head("POST", "/held", "Content-Length: 0\r\n") + head("GET", "/second").repeat(5));
    await expect.poll(() => server.counts.begun).toBe(1);

    server.socket.resetAndDestroy();
    await once(server.socket, "close");
    server.open();
    await server.left;

    for (let turns = 0; turns < 20; turns++) await turn();
    expect(server.counts.begun).toBe(1);
  });

  it("notices a client that resets its connection while requests wait", async () => {
    await using server = await start();
    server.socket.write(head("POST", "/held", "Content-Length: 0\r\n") + head("GET", "/second").repeat(5));
    await expect.poll(() => server.counts.begun).toBe(1);
    server.lines.check();
    for (let turns = 0; turns < 20; turns++) await turn();

    server.socket.resetAndDestroy();
    await once(server.socket, "close");
    server.lines.check();
    await server.left;

    expect(server.counts.begun).toBe(1);
    server.open();
  });

  it("answers all requests of a client that only closes its side", async () => {
    await using server = await start();
    server.socket.end(head("GET", "/first") + head("GET", "/second") + head("GET", "/third"));

    expect(await text(server.socket)).toMatch(/first.*second.*third$/s);
  });

  it.each([
    { where: "its connection", limits: { perConnection: 10, inAll: 100 } },
    { where: "the process", limits: { perConnection: 100, inAll: 10 } },
  ])("closes a connection when too many requests wait on $where", async ({ limits }) => {
    await using server = await start(limits);
    server.socket
      .on("error", () => {})
      .write(head("POST", "/held", "Content-Length: 0\r\n") + head("GET", "/x").repeat(11));

    await once(server.socket.resume(), "close");

    expect(server.counts.begun).toBe(1);
  });

  it.each([
    { when: "has its turn", before: "" },
    { when: "waited", before: head("GET", "/first") },
  ])("asks for the body of a request with an expectation that $when", async ({ before }) => {
    await using server = await start();
    const expecting = "Content-Length: 4\r\nContent-Type: text/plain\r\nExpect: 100-continue\r\nConnection: close\r\n";
    server.socket.write(before + head("POST", "/held", expecting));
    server.open();
    let answered = "";
    server.socket.on("data", (chunk: Buffer) => {
      if (!answered.includes("100 Continue") && String(chunk).includes("100 Continue")) server.socket.write("body");
      answered += String(chunk);
    });

    await once(server.socket, "close");

    expect(answered).toMatch(/100 Continue.*200 OK.*held$/s);
  });

  it("reads the body of a request that waited", async () => {
    await using server = await start();
    const body = "x".repeat(200_000);
    const posted = head("POST", "/held", `Content-Length: ${body.length}\r\nContent-Type: text/plain\r\n`) + body;
    server.socket.write(head("GET", "/first") + posted + head("GET", "/last", "Connection: close\r\n"));
    server.open();

    expect(await text(server.socket)).toMatch(/first.*held.*last$/s);
  });
});
