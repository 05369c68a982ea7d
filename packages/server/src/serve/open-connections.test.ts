import { once } from "node:events";
import type { Server } from "node:http";
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { type AddressInfo, connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { loopbackCertificate } from "@plimsoll/testing";
import fastify, { type FastifyInstance } from "fastify";
import { describe, expect, it } from "vitest";
import { type ConnectionLimits, OpenConnections } from "./open-connections.ts";

const { cert, key } = loopbackCertificate();
const none: ConnectionLimits = { idleSeconds: 60, perNetwork: 100, inAll: 100 };

interface Options extends Partial<ConnectionLimits> {
  readonly isTls?: true;
  readonly trusts?: () => boolean;
}

/** A server under the limits, which keeps requests of `/held` until `go`. */
async function start({ isTls, trusts, ...limits }: Options) {
  let now = 0;
  const connections = new OpenConnections({ ...none, ...limits }, () => now);
  const gate = Promise.withResolvers<void>();
  const https = { cert, key, allowHTTP1: true, allowHalfOpen: true };
  const app = (isTls ? fastify({ http2: true, https }) : fastify()) as unknown as FastifyInstance;
  connections.follow(app as FastifyInstance<Server>, trusts);
  const counts = { held: 0 };
  app.get("/", async () => "ok");
  app.get("/held", async () => {
    counts.held += 1;
    await gate.promise;
    return "ok";
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const wait = (seconds: number) => {
    now += 1_000 * seconds;
    connections.check();
  };
  const close = async () => {
    gate.resolve();
    wait(1_000);
    wait(1);
    await app.close();
  };
  return { connections, counts, port, wait, go: gate.resolve, [Symbol.asyncDispose]: close };
}

type World = Awaited<ReturnType<typeof start>>;

/** Connects, and waits until the server has noticed. */
async function open({ connections, port }: World): Promise<Socket> {
  const before = connections.figures().open;
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  await expect.poll(() => connections.figures().open, { interval: 1 }).toBe(before + 1);
  return socket.resume();
}

const closed = (socket: Socket | ClientHttp2Session) => once(socket, "close");
const endedOf = ({ connections }: World) => Object.fromEntries(connections.figures().ended);

describe("OpenConnections", () => {
  it("closes a connection that never has a request", async () => {
    await using world = await start({});
    const socket = await open(world);

    world.wait(59);
    expect(world.connections.figures().open).toBe(1);
    world.wait(1);

    await closed(socket);
    expect(world.connections.figures().open).toBe(0);
    expect(endedOf(world)).toEqual({ idle: 1 });
  });

  it("closes a connection that does not begin its TLS handshake, or sends nothing after it", async () => {
    await using world = await start({ isTls: true });
    const silent = await open(world);
    const secure = connectTls({ port: world.port, host: "127.0.0.1", ca: cert }).on("error", () => {});
    await once(secure, "secureConnect");

    world.wait(60);

    await Promise.all([closed(silent), closed(secure.resume())]);
    expect(endedOf(world)).toEqual({ idle: 2 });
  });

  it("keeps a connection while a request is answered, and counts from its end", async () => {
    await using world = await start({});
    const socket = await open(world);
    socket.write("GET /held HTTP/1.1\r\nhost: x\r\n\r\n");
    await expect.poll(() => world.counts.held).toBe(1);

    world.wait(120);
    expect(world.connections.figures().open).toBe(1);
    world.go();
    await once(socket, "data");
    world.wait(1);
    expect(world.connections.figures().open).toBe(1);
  });

  it("tells an HTTP/2 client that is idle, and closes the connection even if the client does not", async () => {
    await using world = await start({ isTls: true });
    const session = connectHttp2(`https://127.0.0.1:${world.port}`, { ca: cert });
    const stream = session.request({ ":path": "/" }).resume();
    await once(stream, "close");
    const left = once(session, "goaway");

    await expect
      .poll(() => {
        world.wait(30); // the server notices the end of the response a little later
        return endedOf(world);
      })
      .toEqual({ idle: 1 });
    const [code] = await left;
    world.wait(1);

    expect(code).toBe(0);
    if (!session.destroyed) await closed(session);
  });

  it("keeps an HTTP/2 connection while one of its requests is answered", async () => {
    await using world = await start({ isTls: true });
    const session = connectHttp2(`https://127.0.0.1:${world.port}`, { ca: cert });
    const stream = session.request({ ":path": "/held" }).resume();
    await expect.poll(() => world.counts.held).toBe(1);

    world.wait(120);
    world.go();

    const [headers] = await once(stream, "response");
    expect(headers[":status"]).toBe(200);
    session.destroy();
  });

  it.each([{ perNetwork: 3 }, { inAll: 3 }])(
    "closes the connection that is idle for the longest time at the limit of %o",
    async (limits) => {
      await using world = await start(limits);
      const busy = await open(world);
      busy.write("GET /held HTTP/1.1\r\nhost: x\r\n\r\n");
      await expect.poll(() => world.counts.held).toBe(1);
      const [first] = [await open(world), await open(world)];

      const fourth = connect(world.port, "127.0.0.1");
      await closed(first);

      expect(world.connections.figures().open).toBe(3);
      fourth.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
      expect(String((await once(fourth, "data"))[0])).toContain("200 OK");
      expect(endedOf(world)).toEqual({ crowded: 1 });
    },
  );

  it("closes a new connection when none is idle", async () => {
    await using world = await start({ perNetwork: 1 });
    const busy = await open(world);
    busy.write("GET /held HTTP/1.1\r\nhost: x\r\n\r\n");
    await expect.poll(() => world.counts.held).toBe(1);

    await closed(connect(world.port, "127.0.0.1").on("error", () => {}));

    expect(endedOf(world)).toEqual({ refused: 1 });
    world.go();
    expect(String((await once(busy, "data"))[0])).toContain("200 OK");
  });

  it("accepts any number of connections from a proxy, up to the limit of the process", async () => {
    await using world = await start({ perNetwork: 1, inAll: 3, trusts: () => true });

    const [first] = [await open(world), await open(world), await open(world)];
    connect(world.port, "127.0.0.1").on("error", () => {});
    await closed(first);

    expect(endedOf(world)).toEqual({ crowded: 1 });
  });
});
