import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ScanError } from "@plimsoll/core";
import { withoutCredentials } from "@plimsoll/core/internal/without-credentials";

/** The configured location of a feed. */
export type FeedLocation =
  | { readonly kind: "http"; readonly url: URL }
  | { readonly kind: "local"; readonly path: string };

/**
 * Parses an `http(s)://` or `file://` address or a path.
 * @throws ScanError `unsupported_source` for other schemes, and for addresses with a password, which would appear in logs
 */
export function parseFeedLocation(text: string): FeedLocation {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return { kind: "local", path: text };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "file:") return { kind: "local", path: fileURLToPath(url) };
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw new ScanError(
      "unsupported_source",
      `expected a feed at http(s)://, file:// or a path, found ${withoutCredentials(text)}`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new ScanError(
      "unsupported_source",
      `expected the address of a feed without a password, found one with a password: ${url.host}${url.pathname}`,
    );
  }
  return { kind: "http", url };
}

/** The address of a document beside or below the configured one. @throws ScanError `not_found` for names with `..` */
export function resolveUrl(base: URL, name: string | undefined): URL {
  if (name === undefined) return base;
  return new URL(segmentsOf(name).map(encodeURIComponent).join("/"), new URL(".", base));
}

/** The path of a document below the configured folder, or beside the configured file. */
export function resolvePath(base: string, name: string, { isFolder }: { readonly isFolder: boolean }): string {
  return join(isFolder ? base : dirname(base), ...segmentsOf(name));
}

function segmentsOf(name: string): readonly string[] {
  const segments = name.split("/");
  if (segments.some((segment) => /^\.{0,2}$/.test(segment) || /[\\\0]/.test(segment))) {
    throw new ScanError("not_found", `expected a name below the feed's location, found ${JSON.stringify(name)}`);
  }
  return segments;
}
