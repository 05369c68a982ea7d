import { once } from "node:events";
import { type ClientHttp2Session, connect, constants, type IncomingHttpHeaders } from "node:http2";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import fastify, { type FastifyInstance } from "fastify";
import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { documentApi } from "./documents/document-api.ts";
import type { DocumentFace } from "./documents/document-face.ts";
import type { DocumentTypes } from "./documents/document-operation.ts";
import { bind, operationsFor } from "./operation.ts";
import { prepareBodies } from "./prepare-bodies.ts";
import { registerApi } from "./register.ts";

const app = fastify({ http2: true }) as unknown as FastifyInstance;

const operation = operationsFor<DocumentTypes<undefined>>();

const listThings = operation({
  id: "listThings",
  method: "GET",
  path: "/things",
  summary: "List things.",
  query: Type.Object({ size: Type.Integer(), broken: Type.Optional(Type.Boolean()) }),
  result: Type.Unsafe<{ readonly items: AsyncIterable<string> }>(Type.Object({})),
  success: 200,
  refusals: [400],
  trailer: true,
  handle: async ({ query, signal }) => {
    signal.addEventListener("abort", () => app.server.emit("gone"));
    return { items: names(query.size, { broken: query.broken ?? false }) };
  },
  links: () => ({ link: ["</a>", "</b>"] }),
});

async function* names(count: number, { broken }: { readonly broken: boolean }): AsyncGenerator<string> {
  for (let index = 0; index < count; index += 1) yield "x".repeat(1000);
  if (broken) throw new Error("the shelf broke");
}

const nameThing = operation({
  id: "nameThing",
  method: "POST",
  path: "/things",
  summary: "Name a thing.",
  body: Type.Object({ name: Type.String() }),
  result: Type.Unsafe<unknown>(Type.Object({})),
  success: 200,
  refusals: [400],
  handle: async ({ body }) => body,
});

prepareBodies(app);
const face: DocumentFace = {
  mediaTypes: () => ["application/json"],
  errors: {},
  errorTrailer: "Test-Error",
  maxBodyBytes: 1000,
  contentTypes: "checked",
};
registerApi(app, documentApi(bind([listThings, nameThing], undefined), face));

describe("registerApi over HTTP/2", () => {
  let session: ClientHttp2Session;
  beforeAll(async () => {
    await app.listen({ port: 0, host: "127.0.0.1" });
    session = connect(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
  });
  afterAll(() => app.close());

  it.each<[string, number, number, string | undefined]>([
    ["/things?size=1", 200, 1014, undefined],
    ["/things?size=300", 200, 300_911, undefined],
    ["/things?size=300&broken=true", 200, 200_000, "the shelf broke"],
    ["/things?size=x", 400, 62, undefined],
  ])("answers %s with %d, at least %d bytes and the trailer %s", async (path, status, sizeBytes, trailer) => {
    const stream = session.request({ ":path": path });
    let received = 0;
    let trailers: IncomingHttpHeaders = {};
    stream.on("trailers", (found) => {
      trailers = found;
    });
    stream.on("data", ({ length }: Buffer) => {
      received += length;
    });
    const [headers] = await once(stream, "response");
    await once(stream, "close");

    expect([headers[":status"], trailers["test-error"]]).toEqual([status, trailer]);
    expect(received).toBeGreaterThanOrEqual(sizeBytes);
  });

  it("reads a body that has no Content-Length", async () => {
    const stream = session.request({ ":method": "POST", ":path": "/things", "content-type": "application/json" });
    const response = once(stream, "response");
    stream.end('{"name":"anchor"}');

    expect((await response)[0][":status"]).toBe(200);
    expect(await text(stream)).toBe('{"name":"anchor"}');
  });

  it("aborts the signal of the work when the client disconnects", async () => {
    const gone = once(app.server, "gone");
    const stream = session.request({ ":path": "/things?size=1000000" });
    await once(stream, "response");

    stream.close(constants.NGHTTP2_CANCEL);

    await gone;
  });
});
