import { callbackDocument, type Outcome, reasonOf, type Transport } from "./transport.ts";

/** Where and how a webhook is called. */
export interface WebhookOptions {
  /** Address of the receiver. It is final: redirects are not followed. */
  readonly target: string;
  /** Sent with each call, for credentials of the receiver's own. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Makes a new token for each call, sent as `Authorization: Bearer`. */
  readonly sign?: () => Promise<string>;
  /** Of the body. */
  readonly mediaType: string;
  /** `NAME/VERSION` of this program. */
  readonly userAgent: string;
  /** For the whole call, in milliseconds; 30,000 where absent. */
  readonly timeoutMs?: number;
  readonly fetch: (input: string, init: RequestInit) => Promise<Response>;
  /** A signal that is aborted after that time. */
  readonly timeout: (delayMs: number) => AbortSignal;
}

/**
 * Calls a webhook with the document that says where the notifications are. Any 2xx is success; 410 says that there is no
 * receiver any more and is final; everything else is tried again.
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
      try {
        const response = await options.fetch(target, {
          method: "POST",
          headers: await headersOf(options),
          body: callbackDocument(delivery),
          redirect: "manual",
          signal: AbortSignal.any([signal, timeout(timeoutMs)]),
        });
        // What the body says does not matter, and a connection that breaks now changes nothing.
        await response.body?.cancel().catch(() => {});
        return outcomeOf(response.status);
      } catch (error) {
        signal.throwIfAborted();
        return { kind: "retry", reason: `the webhook could not be called: ${reasonOf(error)}` };
      }
    },
  };
}

async function headersOf({ headers = {}, sign, mediaType, userAgent }: WebhookOptions): Promise<Headers> {
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const line of [value].flat()) sent.append(name, line);
  }
  sent.set("content-type", mediaType);
  sent.set("user-agent", userAgent);
  if (sign !== undefined) sent.set("authorization", `Bearer ${await sign()}`);
  return sent;
}

function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return { kind: "delivered" };
  const reason = `the webhook answered ${status}, expected a status from 200 to 299`;
  return { kind: status === 410 ? "rejected" : "retry", reason };
}
