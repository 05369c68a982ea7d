import { createServer } from "node:net";
import { findRabbit, skipNote } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { connectAmqp } from "../adapters/connect-amqp.ts";
import { type AmqpOptions, amqpTransport } from "./amqp.ts";
import { createQueue } from "./fixtures/rabbit-queue.ts";
import { deliveryOf, transportContract } from "./fixtures/transport-contract.ts";

const rabbit = findRabbit();
const { amqp = "", amqps = "", ca = "" } = rabbit ?? {};
const signal = new AbortController().signal;
const unreachable = "amqp://guest:open-sesame@127.0.0.1:1";

function transportTo(uris: readonly string[], more: Partial<AmqpOptions>) {
  const connect = connectAmqp({ tls: { ca }, timeoutMs: 5_000, appId: "plimsoll" });
  const timeout = () => new AbortController().signal;
  return amqpTransport({ uris, exchange: "", routingKey: "", connect, timeout, ...more });
}

const rows = [
  { how: "by callback", uri: amqp, more: {} },
  { how: "directly, one by one", uri: amqp, more: { direct: {} } },
  { how: "directly, 50 at a time", uri: amqp, more: { direct: { rollup: 50 } } },
  { how: "by callback over TLS", uri: amqps, more: {} },
  { how: "directly over TLS", uri: amqps, more: { direct: { rollup: 500 } } },
];

const title = skipNote(rabbit === undefined ? "PLIMSOLL_TEST_RABBITMQ is not set" : undefined);

describe.skipIf(rabbit === undefined)(`amqpTransport to RabbitMQ${title}`, () => {
  describe.each(rows)("$how", ({ uri, more }) => {
    it.each(transportContract)("$name", async ({ run }) => {
      await using queue = await createQueue(amqp);
      const place = { exchange: queue.exchange, routingKey: "notify" };

      await run({
        transport: transportTo([uri], { ...place, ...more }),
        unreachable: transportTo([unreachable], { ...place, ...more }),
        refused: transportTo([uri.replace(/guest:[^@]*@/, "guest:open-sesame@")], { ...place, ...more }),
        secret: "open-sesame",
        received: async () => (await queue.read()).map(({ document }) => document),
      });
    });
  });

  it("marks messages so that repetitions can be recognized", async () => {
    await using queue = await createQueue(amqp);
    const place = { exchange: queue.exchange, routingKey: "notify" };
    const { setId } = deliveryOf(1);

    await transportTo([amqp], place).deliver(deliveryOf(1), { signal });
    await transportTo([amqp], { ...place, direct: { rollup: 2 } }).deliver(deliveryOf(3), { signal });

    const messages = await queue.read();
    expect(messages.map(({ id }) => id)).toEqual([setId, `${setId}.1`, `${setId}.2`]);
    expect(messages[0]?.headers).toMatchObject({ contentType: "application/json", deliveryMode: 2, appId: "plimsoll" });
  });

  it("uses the next address when the first is dead", async () => {
    await using queue = await createQueue(amqp);

    const transport = transportTo([unreachable, amqp], { routingKey: queue.name });

    expect(await transport.deliver(deliveryOf(1), { signal })).toEqual({ kind: "delivered" });
    expect(await queue.read()).toHaveLength(1);
  });

  it.each(["direct", "fanout", "topic", "headers"])(
    "declares an exchange of type %s, and finds it again",
    async (type) => {
      await using queue = await createQueue(amqp);
      const exchange = `${queue.name}-${type}`;
      const declare = { type, durable: false, autoDelete: true };
      const transport = transportTo([amqp], { exchange, declare, routingKey: "notify" });

      expect(await transport.deliver(deliveryOf(1), { signal })).toMatchObject({
        reason: expect.stringMatching(/no queue accepts/),
      });
      await queue.bindTo(exchange);
      expect(await transport.deliver(deliveryOf(1), { signal })).toEqual({ kind: "delivered" });
      expect(await queue.read()).toHaveLength(1);
      const other = transportTo([amqp], { exchange, declare: { ...declare, durable: true }, routingKey: "notify" });
      expect(await other.deliver(deliveryOf(1), { signal })).toMatchObject({
        reason: expect.stringMatching(/PRECONDITION|inequivalent/),
      });
    },
  );

  it.each([
    { problem: "an exchange that is not there", more: { exchange: "no-such-exchange" }, reason: /no-such-exchange/ },
    { problem: "a key that leads to no queue", more: { routingKey: "no-such-queue" }, reason: /no queue accepts/ },
    { problem: "a certificate of an unknown CA", tls: true, more: {}, reason: /self-signed certificate/ },
  ])("asks to try again for $problem", async ({ more, tls, reason }) => {
    const untrusting = connectAmqp({ timeoutMs: 5_000, appId: "plimsoll" });
    const transport = transportTo([tls ? amqps : amqp], tls ? { ...more, connect: untrusting } : more);

    const outcome = await transport.deliver(deliveryOf(1), { signal });

    expect(outcome).toEqual({ kind: "retry", reason: expect.stringMatching(reason) });
  });
});

describe("amqpTransport", () => {
  it("asks for a retry when a broker does not answer", async () => {
    const server = createServer(() => {});
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const connect = connectAmqp({ timeoutMs: 20, appId: "plimsoll" });

    const outcome = await transportTo([`amqp://127.0.0.1:${port}`], { connect }).deliver(deliveryOf(1), { signal });
    server.close();

    expect(outcome.kind).toBe("retry");
  });
});
