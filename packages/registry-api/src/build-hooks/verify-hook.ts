import { createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { signWebhook } from "@plimsoll/outbound";
import { equalSecrets } from "@plimsoll/registry/crypto/secrets";
import { RegistryError } from "@plimsoll/registry/errors";

/** A received delivery. */
export interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The largest accepted difference between the clock of a forge and ours. */
const toleranceMs = 300_000;

/**
 * Checks the signature of a delivery: `X-Hub-Signature-256`, which most forges send, or that of Standard Webhooks, whose time is checked
 * as well.
 * @returns a key that identifies the delivery and is covered by the signature
 * @throws RegistryError `invalid_token` if it is not signed; `insufficient_scope` if the signature is wrong or too old
 * @see https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
 */
export function verifyHook(delivery: Delivery, secret: string): string {
  const hub = textOf(delivery.headers, "x-hub-signature-256");
  if (hub !== undefined) return verifyHub(delivery, secret, hub);
  const standard = textOf(delivery.headers, "webhook-signature");
  if (standard !== undefined) return verifyStandard(delivery, secret, standard);
  throw new RegistryError(
    "invalid_token",
    "The delivery is not signed: expected the header X-Hub-Signature-256 or webhook-signature",
  );
}

function verifyHub({ body }: Delivery, secret: string, given: string): string {
  const expected = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  if (!equalSecrets(given.toLowerCase(), expected)) throw forged();
  return expected; // the same push has the same body
}

function verifyStandard({ headers, body, now }: Delivery, secret: string, given: string): string {
  const [id, timestamp] = [textOf(headers, "webhook-id") ?? "", textOf(headers, "webhook-timestamp") ?? ""];
  if (!/^\d{1,12}$/.test(timestamp) || !/^[\x21-\x7e]{1,255}$/.test(id)) throw forged();
  const at = Number(timestamp) * 1000;
  const signed = signWebhook({ id, body, secret, now: at });
  const isSigned = given.split(" ").some((each) => equalSecrets(each, signed["webhook-signature"] ?? ""));
  if (!isSigned) throw forged();
  if (Math.abs(now - at) > toleranceMs)
    throw new RegistryError("insufficient_scope", "The time of the delivery is too far in the past or in the future");
  return `id=${id}`;
}

function forged(): RegistryError {
  return new RegistryError("insufficient_scope", "The delivery is not signed with the secret of its trigger");
}

function textOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}
