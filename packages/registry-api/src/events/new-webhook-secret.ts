import { webhookSecretPrefix } from "@plimsoll/outbound";
import { randomToken } from "@plimsoll/registry/crypto/secrets";

/** A new secret of a webhook. */
export function newWebhookSecret(): string {
  return `${webhookSecretPrefix}${randomToken("base64")}`;
}
