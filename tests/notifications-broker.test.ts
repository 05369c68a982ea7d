/** From a feed update to a message at RabbitMQ, by `plimsoll serve` as it is configured for it. */
import { type FeedServer, findRabbit, skipNote, startFeedServer, usualTestEngine } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { createQueue, type RabbitQueue } from "../packages/notifier/src/transports/fixtures/rabbit-queue.ts";
import { exchange } from "./support/exchange.ts";
import { countSeenOperations } from "./support/notification-set.ts";
import { debianImage, debianTracker } from "./support/sample-image.ts";
import { ServiceProcess, type SettingTexts } from "./support/service-process.ts";
import { tempFolder } from "./support/temp-folder.ts";
import { trackerPath, updatingFrom } from "./support/tracker-feed.ts";

const image = await debianImage(["openssl 3.0.11-1~deb12u1"]);
const rabbit = findRabbit();
const { amqp = "", amqps = "", stomp = "", stompTls = "", ca = "" } = rabbit ?? {};
const patience = { interval: 100 };

const login = { stompLogin: "guest", stompPasscode: "guest" };
const rows: readonly { how: string; isDirect: boolean; settings: (queue: RabbitQueue) => SettingTexts }[] = [
  {
    how: "AMQP by callback",
    isDirect: false,
    settings: ({ exchange: amqpExchange }) => ({ amqpUris: amqp, amqpExchange, amqpRoutingKey: "notify" }),
  },
  {
    how: "AMQP directly, over TLS",
    isDirect: true,
    settings: ({ name }) => ({ amqpUris: amqps, amqpRoutingKey: name, directRollup: "50" }),
  },
  {
    how: "STOMP by callback, over TLS",
    isDirect: false,
    settings: ({ name }) => ({
      stompAddresses: stompTls,
      stompTls: "1",
      stompDestination: `/amq/queue/${name}`,
      ...login,
    }),
  },
  {
    how: "STOMP directly",
    isDirect: true,
    settings: ({ name }) => ({
      stompAddresses: stomp,
      stompDestination: `/amq/queue/${name}`,
      directRollup: "1",
      ...login,
    }),
  },
];

const title = skipNote(rabbit === undefined ? "PLIMSOLL_TEST_RABBITMQ is not set" : undefined);

describe.skipIf(rabbit === undefined)(`plimsoll serve with RabbitMQ${title}`, () => {
  it.each(rows)(
    "tells of an update over $how",
    async ({ isDirect, settings }) => {
      await using database = await usualTestEngine.create();
      await using server = await startFeedServer();
      await using queue = await createQueue(amqp);
      using folder = tempFolder();
      server.answer(trackerPath, { body: debianTracker({ zlib: { "CVE-2023-0001": {} } }), etag: '"1"' });
      await using service = await ServiceProcess.start({
        database: database.location,
        mode: "indexer,matcher,notifier",
        layerNetworks: "127.0.0.1",
        pollPeriodSeconds: "1",
        notificationCallback: "https://scanner.example/notifier/api/v1/notification",
        brokerCa: folder.write("ca.pem", ca),
        ...updatingFrom(server),
        ...settings(queue),
      });
      await service.listening();
      await submit(service, server);
      await expect.poll(() => countSeenOperations(database.location), patience).toBe(1);

      server.answer(trackerPath, { body: debianTracker({ openssl: { "CVE-2024-0001": {} } }), etag: '"2"' });

      const messages: unknown[] = [];
      const read = async () => messages.push(...(await queue.read()).map(({ document }) => document));
      await expect.poll(read, patience).toBe(1);
      const told = { manifest: image.digest, reason: "added", vulnerability: { name: "CVE-2024-0001" } };
      const notifications = isDirect ? messages[0] : await readPage(service, messages[0]);
      expect(notifications).toMatchObject([told]);
      expect(await service.stop()).toBe(0);
    },
    90_000,
  );
});

async function submit({ url }: ServiceProcess, server: FeedServer): Promise<void> {
  const layers = image.layers.map(({ digest, bytes }) => {
    server.answer(`/${digest}`, { body: bytes });
    return { hash: digest, uri: server.url + digest };
  });
  const body = { hash: image.digest, layers };
  const { status } = await exchange(`${url}/indexer/api/v1/index_report`, { method: "POST", body });
  expect(status).toBe(201);
}

/** The notifications that a message leads to. */
async function readPage({ url }: ServiceProcess, message: unknown): Promise<unknown> {
  const { notification_id, callback } = message as { readonly notification_id: string; readonly callback: string };
  const { pathname } = new URL(callback);
  expect(pathname).toBe(`/notifier/api/v1/notification/${notification_id}`);
  const { json } = await exchange(url + pathname);
  return (json as { readonly notifications: unknown }).notifications;
}
