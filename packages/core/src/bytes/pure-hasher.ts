import { sha256, sha512 } from "@noble/hashes/sha2.js";
import type { CreateHasher } from "../ports.ts";

const algorithms = { sha256, sha512 } as const;
const hexDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Hashers that need nothing of the platform, some ten times slower than those of `node:crypto`. */
export const pureHasher: CreateHasher = (algorithm) => {
  const hash = algorithms[algorithm].create();
  return {
    update(bytes) {
      hash.update(bytes);
    },
    hex: () => Array.from(hash.digest(), (byte) => hexDigits[byte]).join(""),
  };
};
