import { signWebhook } from "@plimsoll/outbound";
import { callbackDocument, type Outcome, reasonOf, type Transport } from "./transport.ts";

/** Options of {@link webhookTransport}. */
export interface WebhookOptions {
  /** The address of the receiver. Redirects are not followed. */
  readonly target: string;
  /** Additional headers of each request, for example the receiver's credentials. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Creates a new token for each request, sent as `Authorization: Bearer`. */
  readonly sign?: () => Promise<string>;
  /**
   * Signs each request as Standard Webhooks specifies, with its id, its time and its body. `secret` is `whsec_` and 24 to 64 bytes in base64.
   */
  readonly signing?: { readonly secret: string; readonly now: () => number };
  /** The media type of the body. */
  readonly mediaType: string;
  /** `NAME/VERSION` of this program. */
  readonly userAgent: string;
  /** The time limit for a request; 30,000 by default. */
  readonly timeoutMs?: number;
  readonly fetch: (input: string, init: RequestInit) => Promise<WebhookResponse>;
  /** Creates a signal that is aborted after a time. */
  readonly timeout: (delayMs: number) => AbortSignal;
}

/** The part of a `Response` that a webhook transport uses. */
export type WebhookResponse = Pick<Response, "status"> & { readonly body: AsyncIterable<Uint8Array> | null };

/**
 * Creates a transport that sends the address of the notifications to a webhook. Any 2xx status is a success. 410 is a permanent failure: the
 * receiver does not exist any more. Any other result is tried again.
 * @example
 * const transport = webhookTransport({
 *   target: "https://hooks.example.com/images",
 *   mediaType: "application/json",
 *   userAgent: "my-scanner/1.0",
 *   fetch,
 *   timeout: (delayMs) => AbortSignal.timeout(delayMs),
 * });
 */
export function webhookTransport(options: WebhookOptions): Transport {
  const { target, timeoutMs = 30_000, timeout } = options;
  return {
    name: "webhook",
    isDirect: false,
    async deliver(delivery, { signal }) {
      const body = callbackDocument(delivery);
      try {
        const response = await options.fetch(target, {
          method: "POST",
          headers: await headersOf(options, { id: delivery.setId, body }),
          body,
          redirect: "manual",
          signal: AbortSignal.any([signal, timeout(timeoutMs)]),
        });
        // The body is not needed, and a broken connection does not matter any more.
        await response.body?.[Symbol.asyncIterator]()
          .return?.()
          .catch(() => {});
        return outcomeOf(response.status);
      } catch (error) {
        signal.throwIfAborted();
        return { kind: "retry", reason: `the request to the webhook failed: ${reasonOf(error)}` };
      }
    },
  };
}

async function headersOf(
  { headers = {}, sign, signing, mediaType, userAgent }: WebhookOptions,
  signed: { readonly id: string; readonly body: string },
): Promise<Headers> {
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const line of [value].flat()) sent.append(name, line);
  }
  sent.set("content-type", mediaType);
  sent.set("user-agent", userAgent);
  if (sign !== undefined) sent.set("authorization", `Bearer ${await sign()}`);
  if (signing !== undefined) {
    const { secret, now } = signing;
    for (const [name, value] of Object.entries(signWebhook({ ...signed, secret, now: now() }))) sent.set(name, value);
  }
  return sent;
}

function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return { kind: "delivered" };
  const reason = `the webhook answered ${status}, expected a status from 200 to 299`;
  return { kind: status === 410 ? "rejected" : "retry", reason };
}
