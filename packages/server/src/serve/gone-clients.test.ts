import { once } from "node:events";
import { connect as connectHttp2, constants } from "node:http2";
import { type AddressInfo, connect as connectTcp } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { connect } from "node:tls";
import { bind, type DocumentFace, type DocumentTypes, documentApi, operationsFor } from "@plimsoll/http";
import { loopbackCertificate } from "@plimsoll/testing";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { createApiServer } from "./api-server.ts";
import { testApiServerOptions } from "./fixtures/test-api-server.ts";

const { cert, key } = loopbackCertificate();

const face: DocumentFace = {
  mediaTypes: () => ["application/json"],
  errors: {},
  errorTrailer: "error",
  maxBodyBytes: 1000,
  contentTypes: "ignored",
};

/** An API whose only operation begins, and fails when its client has gone. */
function failingApi(begin: () => void) {
  const wait = operationsFor<DocumentTypes<undefined>>()({
    id: "waitForThings",
    method: "GET",
    path: "/scan/things",
    summary: "Wait for things.",
    success: 204,
    refusals: [400],
    async handle({ signal }) {
      begin();
      await once(signal, "abort");
      throw new Error("the work was not finished");
    },
  });
  return documentApi(bind([wait], undefined), face);
}

/** Clients that ask, and return what makes them leave. */
const clients: Readonly<Record<string, (port: number) => () => void>> = {
  "HTTP/1.1": (port) => {
    const tcp = connectTcp(port, "127.0.0.1");
    const socket = connect({ socket: tcp, host: "127.0.0.1", ca: cert }).on("error", () => {});
    socket.write("GET /scan/things HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    return () => void tcp.resetAndDestroy(); // a client that only closes its side still waits
  },
  "an HTTP/2 stream": (port) => {
    const session = connectHttp2(`https://127.0.0.1:${port}`, { ca: cert }).on("error", () => {});
    const stream = session.request({ ":path": "/scan/things" }).on("error", () => {});
    stream.on("close", () => session.close());
    return () => stream.close(constants.NGHTTP2_CANCEL);
  },
  "an HTTP/2 connection": (port) => {
    const session = connectHttp2(`https://127.0.0.1:${port}`, { ca: cert }).on("error", () => {});
    session.request({ ":path": "/scan/things" }).on("error", () => {});
    return () => session.destroy();
  },
};

describe("a request whose client has gone", () => {
  it.each(Object.keys(clients))(
    "is recorded once with the status 499, and is no error of the server: %s",
    async (client) => {
      const [lines, recorded, logged]: [string[], unknown[], unknown[]] = [[], [], []];
      const began = Promise.withResolvers<void>();
      const app = createApiServer({
        ...testApiServerOptions(),
        api: failingApi(began.resolve),
        logger: pino({ level: "warn" }, { write: (line) => void lines.push(line) }),
        metrics: { observe: ({ operation, status }) => void recorded.push([operation, status]) },
        accessLog: { write: ({ operation, status, address }) => void logged.push([operation, status, address]) },
        tls: { cert, key },
      });
      await app.listen({ host: "127.0.0.1", port: 0 });

      const leave = clients[client]?.((app.server.address() as AddressInfo).port);
      await began.promise;
      await turn(); // within the callback that reads the request, a reset would arrive as an end
      leave?.();
      await expect.poll(() => recorded).toHaveLength(1);
      await app.close();

      expect(recorded).toEqual([["waitForThings", 499]]);
      expect(logged).toEqual([["waitForThings", 499, "127.0.0.1"]]);
      expect(lines).toEqual([]);
    },
  );
});
