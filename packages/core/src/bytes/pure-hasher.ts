import { sha256, sha512 } from "@noble/hashes/sha2.js";
import type { CreateHasher } from "../ports.ts";

const algorithms = { sha256, sha512 } as const;
const hexDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/**
 * Hashers in plain JavaScript, about ten times slower than those of `node:crypto`.
 * @example
 * const hasher = pureHasher("sha256");
 * hasher.update(new TextEncoder().encode("abc"));
 * hasher.hex(); // "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
 */
export const pureHasher: CreateHasher = (algorithm) => {
  const hash = algorithms[algorithm].create();
  return {
    update(bytes) {
      hash.update(bytes);
    },
    hex: () => Array.from(hash.digest(), (byte) => hexDigits[byte]).join(""),
  };
};
