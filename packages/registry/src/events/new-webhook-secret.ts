import { webhookSecretPrefix } from "@plimsoll/outbound";
import { randomToken } from "../crypto/secrets.ts";

/** A new secret of a webhook. */
export function newWebhookSecret(): string {
  return `${webhookSecretPrefix}${randomToken("base64")}`;
}
