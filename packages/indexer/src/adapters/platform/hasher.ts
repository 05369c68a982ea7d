import { createHash } from "node:crypto";
import type { CreateHasher } from "@plimsoll/core/image";

/** Hashers of `node:crypto`. */
export const nodeHasher: CreateHasher = (algorithm) => {
  const hash = createHash(algorithm);
  return {
    update(bytes) {
      hash.update(bytes);
    },
    hex: () => hash.digest("hex"),
  };
};
