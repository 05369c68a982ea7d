import { once } from "node:events";
import { connect as connectHttp2, constants } from "node:http2";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { findAccount } from "@plimsoll/registry/access/queries";
import { uploadingBytes } from "@plimsoll/registry/organizations/quotas/queries/usage";
import {
  engineTitle,
  longTestEngines,
  loopbackCertificate,
  type TestEngine,
  type TestTransport,
  testTransports,
} from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { beginUpload } from "../fixtures/each-engine.ts";
import {
  digestOf,
  ociManifestType,
  openTestDistribution,
  type TestDistribution,
} from "../fixtures/test-distribution.ts";

const name = "alice/images";
const whole = "x".repeat(1000);
const sent = whole.slice(0, 400);

/** How a client ends in the middle of a body. */
type Ending = "ends" | "resets" | "vanishes";

/** A request with an incomplete body. */
interface CutRequest {
  readonly method: string;
  readonly path: string;
}

/** Sends the beginning of a body. @returns a function that ends it there and resolves to the whole response */
async function beginBody(world: TestDistribution, transport: TestTransport, { method, path }: CutRequest) {
  const [host = "", port] = world.host.split(":");
  const headers = { authorization: "Test alice", "content-type": ociManifestType, "content-length": "1000" };
  if (transport === "TLS with HTTP/2") {
    const session = connectHttp2(`https://${world.host}`, { ca: loopbackCertificate().cert }).on("error", () => {});
    await once(session, "connect"); // a session that is ended before that does not notify its streams
    const stream = session.request({ ":method": method, ":path": path, ...headers }).on("error", () => {});
    const statuses: number[] = [];
    stream.on("response", (answer) => statuses.push(Number(answer[":status"])));
    stream.resume().write(sent);
    return async (ending: Ending) => {
      const closed = closingOf(stream);
      if (ending === "ends") stream.end();
      else if (ending === "resets") stream.close(constants.NGHTTP2_CANCEL);
      else session.destroy();
      await closed;
      session.destroy();
      return statuses.join(" ");
    };
  }
  const options = { host, port: Number(port), ca: loopbackCertificate().cert };
  const socket = (transport === "HTTP/1.1" ? connect(options) : connectTls(options)).on("error", () => {});
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  const lines = Object.entries({ host: world.host, ...headers }).map(([key, value]) => `${key}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${sent}`);
  return async (ending: Ending) => {
    const closed = closingOf(socket);
    if (ending === "ends") socket.end();
    else if (transport === "HTTP/1.1") socket.resetAndDestroy();
    else socket.destroy();
    await closed;
    return answer.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length);
  };
}

/** Resolves when it is closed, with or without an error. */
function closingOf(connection: Duplex): Promise<void> {
  return new Promise((resolve) => void connection.once("close", resolve));
}

/** A namespace with a small quota, so that no more bytes are reserved than were announced. */
async function limited({ store }: TestDistribution): Promise<string> {
  const { id = "" } = (await findAccount(store.db, "alice")) ?? {};
  const quota = { namespace_id: id, limit_bytes: 5000 };
  const { id: quota_id } = await store.db.insertInto("quota").values(quota).returning("id").executeTakeFirstOrThrow();
  await store.db.insertInto("quota_limit").values({ quota_id, type: "Reject", threshold_percent: 100 }).execute();
  return id;
}

/** With HTTP/2, the client can reset a request or close the whole connection. */
function endingsOf(transport: TestTransport): readonly Ending[] {
  return transport === "TLS with HTTP/2" ? ["ends", "resets", "vanishes"] : ["ends", "resets"];
}

const rows = testTransports.flatMap((transport) => endingsOf(transport).map((ending) => ({ transport, ending })));

const engines = longTestEngines.map((engine) => ({ engine, title: engineTitle(engine) }));

describe.each(engines)("a body that comes in part, on $title", ({ engine }) => {
  describe.skipIf(engine.skip !== undefined).each(rows)("over $transport, where the client $ending", (row) => {
    const { transport, ending } = row;
    const open = () => openTestDistribution({ engine: engine as TestEngine, transport });

    it.each(["PATCH", "PUT"])("of a %s leaves the upload at what has come, and reserves no more", async (method) => {
      await using world = await open();
      const namespaceId = await limited(world);
      const location = await beginUpload(world);
      const path = method === "PATCH" ? location : `${location}?digest=${digestOf(whole)}`;
      const counted = () => uploadingBytes(world.store.db, namespaceId);

      const end = await beginBody(world, transport, { method, path });
      await expect.poll(counted).toBe(1000);
      const answer = await end(ending);
      await expect.poll(counted).toBeLessThanOrEqual(sent.length);

      expect(answer).not.toMatch(/^2/);
      const range = (await world.send("GET", location)).headers.get("range") ?? "";
      const received = Number(range.split("-")[1]) + 1;
      expect(received).toBeLessThanOrEqual(sent.length);
      const from = received === 1 ? 0 : received;
      const rest = whole.slice(from);
      const headers = { "content-range": `${from}-999` };
      const put = await world.send("PUT", `${location}?digest=${digestOf(whole)}`, { headers, body: rest });
      expect(put.status).toBe(201);
      expect(await counted()).toBe(0);
    });

    it("of a POST leaves nothing", async () => {
      await using world = await open();
      const namespaceId = await limited(world);
      await beginUpload(world).then((location) => world.send("DELETE", location)); // the repository is there
      const path = `/v2/${name}/blobs/uploads/?digest=${digestOf(whole)}`;

      const end = await beginBody(world, transport, { method: "POST", path });
      await expect.poll(() => uploadingBytes(world.store.db, namespaceId)).toBe(1000);
      const answer = await end(ending);
      await expect.poll(() => world.store.db.selectFrom("upload").select("id").execute()).toEqual([]);

      expect(answer).not.toMatch(/^2/);
      expect((await world.send("HEAD", `${name}/blobs/${digestOf(whole)}`)).status).toBe(404);
    });

    it("of a manifest stores none", async () => {
      await using world = await open();
      await world.pushImage(name, "other");

      const end = await beginBody(world, transport, { method: "PUT", path: `/v2/${name}/manifests/latest` });
      const answer = await end(ending);

      expect(answer).not.toMatch(/^2/);
      expect((await world.send("GET", `${name}/manifests/latest`)).status).toBe(404);
    });
  });
});
