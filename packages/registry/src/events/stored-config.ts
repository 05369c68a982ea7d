import type { Sealer } from "../crypto/secrets.ts";

/**
 * The configuration of a notification as it is stored: encrypted, because addresses of receivers often contain a secret, so that neither the database
 * nor a backup shows them.
 */
export function sealConfig(secrets: Sealer, config: Readonly<Record<string, unknown>>): string {
  return secrets.seal(JSON.stringify(config));
}

/**
 * Reads a stored configuration; one that was stored before these were encrypted is JSON.
 * @returns undefined for one that was encrypted with another key
 */
export function openConfig(secrets: Sealer, stored: string): Readonly<Record<string, unknown>> | undefined {
  const text = stored.startsWith("{") ? stored : secrets.open(stored);
  return text === undefined ? undefined : (JSON.parse(text) as Record<string, unknown>);
}
