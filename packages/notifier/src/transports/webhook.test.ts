import { signWebhook } from "@plimsoll/outbound";
import { startWebhookReceiver } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { deliveryOf, transportContract } from "./fixtures/transport-contract.ts";
import { type WebhookOptions, webhookTransport } from "./webhook.ts";

const signal = new AbortController().signal;

function webhook(target: string, more: Partial<WebhookOptions> = {}) {
  const never = () => new AbortController().signal;
  const mediaType = "application/vnd.scanner.notification_webhook.v1+json";
  return webhookTransport({ target, mediaType, userAgent: "plimsoll/1", fetch, timeout: never, ...more });
}

describe("webhookTransport", () => {
  it.each(transportContract)("$name", async ({ run }) => {
    await using receiver = await startWebhookReceiver();
    await using refusing = await startWebhookReceiver();
    refusing.answer(503);
    const headers = { "x-secret": "open-sesame" };
    let read = 0;

    await run({
      transport: webhook(receiver.url),
      unreachable: webhook("http://127.0.0.1:1/hook", { headers }),
      refused: webhook(refusing.url, { headers }),
      secret: "open-sesame",
      received: async () => {
        const calls = receiver.calls.slice(read);
        read = receiver.calls.length;
        return calls.map(({ body }) => JSON.parse(body));
      },
    });
  });

  it("sends the configured headers, and its own content type", async () => {
    await using receiver = await startWebhookReceiver();
    const headers = { "X-Team": ["a", "b"], "Content-Type": "text/plain" };
    let tokens = 0;
    const sign = async () => `token${++tokens}`;
    const transport = webhook(receiver.url, { headers, sign });

    await transport.deliver(deliveryOf(1), { signal });
    await transport.deliver(deliveryOf(1), { signal });

    expect(receiver.calls[0]).toMatchObject({
      method: "POST",
      headers: {
        "content-type": "application/vnd.scanner.notification_webhook.v1+json",
        "user-agent": "plimsoll/1",
        "x-team": "a, b",
        authorization: "Bearer token1",
      },
    });
    expect(receiver.calls[1]?.headers.authorization).toBe("Bearer token2");
  });

  it("signs the body with its id and the time of each attempt, over headers of the settings", async () => {
    await using receiver = await startWebhookReceiver();
    const secret = "whsec_c2VjcmV0IG9mIGF0IGxlYXN0IDI0IGJ5dGVz";
    let now = 1_700_000_000_000;
    const signing = { secret, now: () => (now += 1000) };
    const transport = webhook(receiver.url, { signing, headers: { "webhook-signature": "v1,forged" } });
    const delivery = deliveryOf(1);

    await transport.deliver(delivery, { signal });
    await transport.deliver(delivery, { signal });

    for (const [index, { headers, body }] of receiver.calls.entries()) {
      const at = 1_700_000_001_000 + index * 1000;
      expect(headers).toMatchObject(signWebhook({ id: delivery.setId, body, secret, now: at }));
    }
  });

  it.each([
    [200, "delivered"],
    [201, "delivered"],
    [202, "delivered"],
    [204, "delivered"],
    [301, "retry"],
    [307, "retry"],
    [400, "retry"],
    [401, "retry"],
    [404, "retry"],
    [410, "rejected"],
    [429, "retry"],
    [500, "retry"],
    ["cut", "retry"],
  ] as const)("takes the answer %s as %s", async (answer, kind) => {
    await using receiver = await startWebhookReceiver();
    receiver.answer(answer);

    const outcome = await webhook(receiver.url).deliver(deliveryOf(1), { signal });

    expect(outcome.kind).toBe(kind);
    expect(receiver.calls).toHaveLength(1);
  });

  it("gives up a receiver that does not answer", async () => {
    await using receiver = await startWebhookReceiver();
    receiver.answer("silent");
    const time = new AbortController();
    const delays: number[] = [];
    const timeout = (delayMs: number) => {
      delays.push(delayMs);
      return time.signal;
    };

    const delivering = webhook(receiver.url, { timeout, timeoutMs: 7_000 }).deliver(deliveryOf(1), { signal });
    await receiver.called(1);
    time.abort(new Error("7 seconds are over"));

    expect(await delivering).toEqual({ kind: "retry", reason: expect.stringContaining("7 seconds are over") });
    expect(delays).toEqual([7_000]);
  });
});
