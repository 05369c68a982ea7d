import { once } from "node:events";
import { type ClientHttp2Session, connect } from "node:http2";
import { loopbackCertificate } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "./support/scanner-service.ts";

const { cert, certFile: certificate, keyFile: key } = loopbackCertificate();
const reports = "/indexer/api/v1/index_report";
const manifest = JSON.stringify({ hash: `sha256:${"0".repeat(64)}`, layers: [] });

describe("a service asked by HTTP/2", () => {
  let service: TestService;
  let session: ClientHttp2Session;
  beforeAll(async () => {
    service = await startTestService(":memory:", { tls: { certificate, key } });
    session = connect(service.url, { ca: cert });
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose](); // with the session open: it is closed from there
    expect(session.closed).toBe(true);
  });

  async function ask(headers: Record<string, string>, body?: string) {
    const stream = session.request(headers, { endStream: body === undefined });
    if (body !== undefined) stream.end(body);
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    const [received] = await once(stream, "response");
    if (!stream.closed) await once(stream, "close");
    return { headers: received, text: Buffer.concat(chunks).toString() };
  }

  it("answers what is submitted and what is asked", async () => {
    const type = "application/vnd.scanner.manifest.v1+json";
    const submitted = await ask({ ":method": "POST", ":path": reports, "content-type": type }, manifest);
    const found = await ask({ ":path": `${reports}/sha256:${"0".repeat(64)}` });

    expect([submitted.headers[":status"], found.headers[":status"]]).toEqual([201, 200]);
    expect(submitted.headers.link).toContain("urn:plimsoll:v1:index_report");
    expect(found.headers.trailer).toBe("Scanner-Error");
    expect(found.text).toBe(submitted.text);
  });

  it("answers 304 and refusals", async () => {
    const state = await ask({ ":path": "/indexer/api/v1/index_state" });
    const same = { ":path": "/indexer/api/v1/index_state", "if-none-match": `${state.headers.etag}` };

    expect(await ask(same)).toMatchObject({ headers: { ":status": 304 }, text: "" });
    expect(await ask({ ":path": "/nothing" })).toMatchObject({ headers: { ":status": 404 } });
    const broken = { ":path": reports, ":method": "POST", "content-type": "application/json" };
    expect(await ask(broken, "{")).toMatchObject({ headers: { ":status": 400 } });
    expect(await ask({ ":path": reports, ":method": "POST" }, "{")).toMatchObject({ headers: { ":status": 415 } });
  });
});
