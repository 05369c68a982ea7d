import { createHmac } from "node:crypto";

/** The parts of a webhook request that are signed, and the secret. */
export interface SignedParts {
  readonly id: string;
  readonly body: string | Uint8Array;
  /** `whsec_` and 24 to 64 bytes in base64. */
  readonly secret: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** What a secret of a webhook begins with. */
export const webhookSecretPrefix = "whsec_";

/**
 * Whether a text is a secret of a webhook: `whsec_` and 24 to 64 bytes in base64.
 * @example
 * isWebhookSecret("whsec_c2VjcmV0IG9mIGF0IGxlYXN0IDI0IGJ5dGVz"); // true
 */
export function isWebhookSecret(text: string): boolean {
  if (!/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/.test(text)) return false;
  const { length } = keyOf(text);
  return length >= 24 && length <= 64;
}

/**
 * The headers with which a receiver can verify the sender, the integrity and the time of a request.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#webhook-headers-sending-metadata-to-consumers
 * @example
 * const secret = "whsec_c2VjcmV0IG9mIGF0IGxlYXN0IDI0IGJ5dGVz";
 * const headers = signWebhook({ id: "1", body: "{}", secret, now: Date.now() });
 */
export function signWebhook({ id, body, secret, now }: SignedParts): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1000));
  const signature = createHmac("sha256", keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(webhookSecretPrefix.length), "base64");
}
