import { StoreError } from "./errors.ts";

/** The location of a database. `shown` is for messages and logs: it has no password. */
export type StoreLocation =
  | { readonly kind: "sqlite"; readonly path: string; readonly shown: string }
  | { readonly kind: "postgres"; readonly url: string; readonly shown: string };

/**
 * Parses `sqlite:PATH`, a bare path (a colon in it comes after a slash), `:memory:`, `sqlite::memory:` or a `postgres://` (`postgresql://`) address.
 * @throws StoreError `unsupported_location` for an empty text, another scheme, a malformed address, or a text that may be a mistyped one
 * @example
 * parseStoreLocation("sqlite:data/plimsoll.db"); // { kind: "sqlite", path: "data/plimsoll.db", shown: "data/plimsoll.db" }
 * parseStoreLocation("postgres://plimsoll:secret@db.example/scans").shown; // "postgres://db.example/scans"
 */
export function parseStoreLocation(text: string): StoreLocation {
  if (/^postgres(ql)?:\/\//i.test(text)) return { kind: "postgres", url: text, shown: withoutPassword(text) };
  const path = text.replace(/^sqlite:/i, "");
  const problem = problemOf(text, path);
  if (problem === undefined) return { kind: "sqlite", path, shown: path };
  throw new StoreError("unsupported_location", `expected sqlite:PATH, a path or ${anAddress}, found ${problem}`);
}

const anAddress = "postgres://USER@HOST:PORT/DATABASE";

/** Why a text is not the location of an SQLite file. It does not contain the text: a mistyped address may have a password. */
function problemOf(text: string, path: string): string | undefined {
  if (path === "") return "nothing";
  if (/^["'`]/.test(path)) return "a quotation mark at the beginning: leave it out";
  if (/\bpassword\s?=/i.test(text)) return "keywords with a password";
  if (path === ":memory:" || /^[a-z]:[\\/]/i.test(path)) return undefined; // the drive of a path on Windows
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return `${scheme(text)}…`;
  if (path.includes("://")) return "an address inside of a path";
  const isBare = path === text;
  return isBare && /^[^/\\]*:/.test(path)
    ? "a colon before the first slash (if a file's name has one: sqlite:PATH)"
    : undefined;
}

function scheme(text: string): string {
  return text.slice(0, text.indexOf("://") + 3);
}

function withoutPassword(text: string): string {
  if (!URL.canParse(text)) {
    throw new StoreError("unsupported_location", `expected ${anAddress}, found no valid address`);
  }
  const url = new URL(text);
  return `${url.protocol}//${url.host}${url.pathname}`;
}
