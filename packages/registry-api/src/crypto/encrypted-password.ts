import type { Sealer } from "./secrets.ts";

const purpose = "password:";

/** A password as programs may keep it: it is taken wherever registries are signed in to, and nobody reads it. */
export function encryptPassword(secrets: Sealer, password: string): string {
  return secrets.seal(`${purpose}${password}`);
}

/** The password in what {@link encryptPassword} gave; anything else as it is. */
export function decryptPassword(secrets: Sealer, given: string): string {
  const opened = secrets.open(given);
  return opened?.startsWith(purpose) ? opened.slice(purpose.length) : given;
}
