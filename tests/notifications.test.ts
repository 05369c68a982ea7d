/** From a feed update to a webhook call and the pages behind it, in one service or in three. */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import type { ServiceSettings } from "@plimsoll/server/serve";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { bearerAuthentication } from "../packages/server/src/auth/bearer.ts";
import { signToken } from "../packages/server/src/serve/open-services.ts";
import { exchange } from "./support/exchange.ts";
import { countSeenOperations } from "./support/notification-set.ts";
import { debianImage } from "./support/sample-image.ts";
import { loadTracker, startTestService, type TestService } from "./support/scanner-service.ts";

const key = Buffer.from("thirty-two bytes of a shared key");
const image = await debianImage(["openssl 3.0.11-1~deb12u1", "zlib1g 1:1.2.13 zlib"]);
const zlib = { "CVE-2023-45853": { urgency: "medium" } };

describe.each(testEngines.filter(({ shared }) => shared).map((engine) => ({ engine, title: engineTitle(engine) })))(
  "notifications on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined).each<[string, Start, Partial<ServiceSettings>, string]>([
      ["one service", startOne, {}, "plimsoll-notifier"],
      ["indexer,notifier and matcher", startTwo, {}, "plimsoll-notifier"],
      ["three services", startThree, {}, "plimsoll-notifier"],
      ["three services that please", startThree, { compatibility: "reference", vendor: "clair" }, "clair-notifier"],
    ])("of %s reach the webhook, signed, and are there to be read and deleted", async (_, start, face, issuer) => {
      await using database = await engine.create();
      await using receiver = await startReceiver();
      await loadTracker(database.location, { zlib });
      await using services = await start(database.location, {
        ...face,
        auth: { key, issuers: ["client"] },
        notifications: {
          delivery: { kind: "webhook", target: receiver.url },
          callback: "http://scanner.example/notifier/api/v1/notification",
          mode: "full",
          pollPeriodSeconds: 1,
        },
      });
      const { indexer, matcher, notifier } = services;
      const ask = async (
        service: TestService,
        path: string,
        { method = "GET", body }: { readonly method?: string; readonly body?: unknown | undefined } = {},
      ) => {
        const authorization = `Bearer ${await signToken(key, "client", new Date())}`;
        return exchange(service.url + path, { method, body, headers: { authorization } });
      };
      await ask(indexer, "/indexer/api/v1/index_report", { method: "POST", body: indexer.manifestOf(image) });
      await expect.poll(() => countSeenOperations(database.location)).toBe(1);
      await loadTracker(database.location, { zlib, openssl: { "CVE-2024-0001": { urgency: "medium" } } });

      const normalized_severity = face.compatibility === "reference" ? "High" : "Medium"; // Debian's, one level up
      const report = await ask(matcher, `/matcher/api/v1/vulnerability_report/${image.digest}`);
      const { body, authorization } = await receiver.call;
      const path = new URL(String(body.callback)).pathname;
      const page = await ask(notifier, path);
      const deleted = await ask(notifier, path, { method: "DELETE" });

      expect(body).toEqual({
        notification_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        callback: `http://scanner.example/notifier/api/v1/notification/${body.notification_id}`,
      });
      const isSigned = bearerAuthentication({ key, issuers: [issuer] });
      expect(await isSigned(authorization, new Date())).toBe(true);
      expect(page.json).toMatchObject({
        page: { size: face.compatibility === "reference" ? 500 : 1 },
        notifications: [
          {
            manifest: image.digest,
            reason: "added",
            vulnerability: { name: "CVE-2024-0001", normalized_severity, package: { name: "openssl" } },
          },
        ],
      });
      expect(report.text).toContain("CVE-2024-0001");
      expect(deleted.status).toBe(200);
      expect((await ask(notifier, path)).json).toMatchObject({ notifications: [] });
    });
  },
);

type Start = (database: string, settings: Partial<ServiceSettings>) => Promise<Services>;

interface Services extends AsyncDisposable {
  readonly indexer: TestService;
  readonly matcher: TestService;
  readonly notifier: TestService;
}

async function startOne(database: string, settings: Partial<ServiceSettings>): Promise<Services> {
  const service = await startTestService(database, settings);
  return {
    indexer: service,
    matcher: service,
    notifier: service,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

/** One process that indexes and notifies, one that matches; each asks the other. */
async function startTwo(database: string, settings: Partial<ServiceSettings>): Promise<Services> {
  await using resources = new AsyncDisposableStack();
  const start = async (more: Partial<ServiceSettings>) =>
    resources.use(await startTestService(database, { ...settings, ...more }));
  const toIndexer = resources.use(await startRelay());
  const matcher = await start({ modes: ["matcher"], indexerAddress: [toIndexer.url] });
  const indexer = await start({ modes: ["indexer", "notifier"], matcherAddress: [matcher.url] });
  toIndexer.lead(indexer.url);
  const owned = resources.move();
  return { indexer, matcher, notifier: indexer, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** An address that is there before the service it leads to. */
async function startRelay() {
  let port = 0;
  const server = createTcpServer((client) => {
    const target = connect(port, "127.0.0.1");
    target.on("error", () => client.destroy()).on("close", () => client.destroy());
    client.on("error", () => target.destroy()).on("close", () => target.destroy());
    client.pipe(target).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lead: (url: string) => {
      port = Number(new URL(url).port);
    },
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

/** Services that know each other by address only. */
async function startThree(database: string, settings: Partial<ServiceSettings>): Promise<Services> {
  await using resources = new AsyncDisposableStack();
  const start = async (more: Partial<ServiceSettings>) =>
    resources.use(await startTestService(database, { ...settings, ...more }));
  const indexer = await start({ modes: ["indexer"] });
  const matcher = await start({ modes: ["matcher"], indexerAddress: [indexer.url] });
  const notifier = await start({ modes: ["notifier"], indexerAddress: [indexer.url], matcherAddress: [matcher.url] });
  const owned = resources.move();
  return { indexer, matcher, notifier, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** A server that waits for one webhook call. */
async function startReceiver() {
  const server = createServer((request, response) => {
    void readCall(request).then((call) => {
      response.end();
      server.emit("call", call);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const call = once(server, "call").then(([first]) => first as Awaited<ReturnType<typeof readCall>>);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    call,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function readCall(request: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body: Record<string, unknown> = JSON.parse(Buffer.concat(chunks).toString());
  return { body, authorization: request.headers.authorization };
}
