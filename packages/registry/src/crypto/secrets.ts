import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes, randomInt, timingSafeEqual } from "node:crypto";

const upperAndDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/** A secret of `length` upper-case letters and digits, with more than 5 bits each. */
export function randomSecret(length: number): string {
  return Array.from({ length }, () => upperAndDigits[randomInt(upperAndDigits.length)]).join("");
}

/** A secret of 256 random bits, in base64url by default. */
export function randomToken(encoding: "base64" | "base64url" = "base64url"): string {
  return randomKey().toString(encoding);
}

/** A key of 256 random bits. */
export function randomKey(): Buffer {
  return randomBytes(32);
}

/** The hash under which a random secret is stored and looked up. Passwords, which users choose, are hashed by `passwords.ts`. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret, "base64url");
}

/** Whether two texts are equal, in a time that does not depend on where they differ. */
export function equalSecrets(one: string, other: string): boolean {
  return timingSafeEqual(hash("sha256", one, "buffer"), hash("sha256", other, "buffer"));
}

/** Encrypts secrets that must be read again: robot tokens, passwords of upstream registries, page tokens. */
export interface Sealer {
  seal(plain: string): string;
  /** Undefined for a text that was not sealed with this key and purpose. */
  open(sealed: string): string | undefined;
}

/**
 * A sealer with AES-256-GCM.
 * @param key 32 bytes or more, the same at every node
 * @param purpose texts sealed for one purpose cannot be opened for another
 */
export function createSealer(key: Uint8Array, purpose: string): Sealer {
  const derived = Buffer.from(hkdfSync("sha256", key, new Uint8Array(), `plimsoll registry: ${purpose}`, 32));
  return {
    seal(plain) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", derived, nonce);
      const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString("base64url");
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, "base64url");
      if (bytes.length < 28) return undefined;
      const decipher = createDecipheriv("aes-256-gcm", derived, bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(-16));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString("utf8");
      } catch {
        return undefined;
      }
    },
  };
}

/**
 * Derives a key for signing that is used for one purpose only.
 * @example
 * const cookieKey = deriveKey(await readSecretKey("registry.key"), "cookies of my program");
 */
export function deriveKey(key: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", key, new Uint8Array(), `plimsoll registry: ${purpose}`, 32));
}

const purpose = "password:";

/** A password, encrypted for programs that store it: the registry accepts it for signing in, and no program can read it. */
export function encryptPassword(secrets: Sealer, password: string): string {
  return secrets.seal(`${purpose}${password}`);
}

/** Decrypts a result of {@link encryptPassword}; returns other texts unchanged. */
export function decryptPassword(secrets: Sealer, given: string): string {
  const opened = secrets.open(given);
  return opened?.startsWith(purpose) ? opened.slice(purpose.length) : given;
}
