/**
 * Bun's lock file, JSON with commas behind last members:
 *
 * ```
 * { packages: { PATH: ["NAME@VERSION", …] } }
 * ```
 * It does not say what is for development.
 * @see https://bun.com/docs/pm/lockfile
 */
import { isObject, readJson } from "../../language/json-file.ts";
import { lockFileDetector, maxLockFileBytes } from "../../language/lock-file.ts";

const text = /("(?:[^"\\]|\\.)*")|,(?=\s*[\]}])/g;

/** Reads `bun.lock`. */
export const bunLockDetector = lockFileDetector({
  name: "bun-lock",
  isNamed: (file) => file === "bun.lock",
  *read(file) {
    const plain = new TextDecoder().decode(file.bytes).replaceAll(text, "$1");
    const json = readJson({ ...file, bytes: new TextEncoder().encode(plain) }, maxLockFileBytes);
    for (const entry of Object.values(isObject(json) && isObject(json.packages) ? json.packages : {})) {
      const [first] = Array.isArray(entry) ? entry : [];
      const key = typeof first === "string" ? first : "";
      const at = key.lastIndexOf("@");
      if (at > 0 && /^\d/.test(key.slice(at + 1))) yield { name: key.slice(0, at), version: key.slice(at + 1) };
    }
  },
});
