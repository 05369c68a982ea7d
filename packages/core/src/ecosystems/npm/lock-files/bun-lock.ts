/**
 * Bun's lock file, which is JSON with trailing commas:
 *
 * ```
 * { packages: { PATH: ["NAME@VERSION", …] } }
 * ```
 * It does not say which packages are for development.
 * @see https://bun.com/docs/pm/lockfile
 */

import { isObject } from "../../../model/json-object.ts";
import { readJson } from "../../language/json-file.ts";
import { lockFileDetector, maxLockFileBytes } from "../../language/lock-file.ts";

/** Reads `bun.lock`. */
export const bunLockDetector = lockFileDetector({
  name: "bun-lock",
  isNamed: (file) => file === "bun.lock",
  *read(file) {
    const plain = withoutTrailingCommas(new TextDecoder().decode(file.bytes));
    const json = readJson({ ...file, bytes: new TextEncoder().encode(plain) }, maxLockFileBytes);
    for (const entry of Object.values(isObject(json) && isObject(json.packages) ? json.packages : {})) {
      const [first] = Array.isArray(entry) ? entry : [];
      const key = typeof first === "string" ? first : "";
      const at = key.lastIndexOf("@");
      if (at > 0 && /^\d/.test(key.slice(at + 1))) yield { name: key.slice(0, at), version: key.slice(at + 1) };
      else if (/^.[^@]*@(?:git|https?:)/.test(key))
        yield { name: key.slice(0, key.indexOf("@", 1)), version: "", isUnpublished: true };
    }
  },
});

/** The text without commas before `]` and `}`. */
function withoutTrailingCommas(text: string): string {
  const parts: string[] = [];
  let [kept, comma] = [0, -1];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? "";
    if (sign === '"') at = endOfString(text, at);
    if ((sign === "]" || sign === "}") && comma >= 0) {
      parts.push(text.slice(kept, comma));
      kept = comma + 1;
    }
    if (sign === ",") comma = at;
    else if (sign.trim() !== "") comma = -1;
  }
  return [...parts, text.slice(kept)].join("");
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}
