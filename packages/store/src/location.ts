import { StoreError } from "./errors.ts";

/** The location of a database. `shown` is for messages and logs: it has no password. */
export type StoreLocation =
  | { readonly kind: "sqlite"; readonly path: string; readonly shown: string }
  | { readonly kind: "postgres"; readonly url: string; readonly shown: string };

/**
 * Parses `sqlite:PATH`, a bare path, `:memory:`, `sqlite::memory:` or a `postgres://` (`postgresql://`) address.
 * @throws StoreError `unsupported_location` for an empty text, another scheme or a malformed address
 * @example
 * parseStoreLocation("sqlite:data/plimsoll.db"); // { kind: "sqlite", path: "data/plimsoll.db", shown: "data/plimsoll.db" }
 * parseStoreLocation("postgres://plimsoll:secret@db.example/scans").shown; // "postgres://db.example/scans"
 */
export function parseStoreLocation(text: string): StoreLocation {
  if (/^postgres(ql)?:\/\//i.test(text)) return { kind: "postgres", url: text, shown: withoutPassword(text) };
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) {
    throw new StoreError(
      "unsupported_location",
      `expected sqlite:PATH, a path or postgres://…, found ${scheme(text)}…`,
    );
  }
  if (/\bpassword\s?=/i.test(text)) {
    throw new StoreError(
      "unsupported_location",
      "expected sqlite:PATH, a path or postgres://USER@HOST:PORT/DATABASE, found keywords with a password",
    );
  }
  const path = text.replace(/^sqlite:/i, "");
  if (path === "")
    throw new StoreError("unsupported_location", "expected sqlite:PATH, a path or postgres://…, found nothing");
  return { kind: "sqlite", path, shown: path };
}

function scheme(text: string): string {
  return text.slice(0, text.indexOf("://") + 3);
}

function withoutPassword(text: string): string {
  if (!URL.canParse(text)) {
    throw new StoreError("unsupported_location", "expected postgres://USER@HOST:PORT/DATABASE, found no valid address");
  }
  const url = new URL(text);
  return `${url.protocol}//${url.host}${url.pathname}`;
}
