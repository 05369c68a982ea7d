import { withoutUndefined } from "@plimsoll/core/internal";
/** The validators of a document from HTTP: those of the server, and our own digest. */
export interface HttpValidator {
  readonly etag?: string;
  readonly lastModified?: string;
  /** The digest of the content, which recognizes an unchanged document even if the server does not. */
  readonly digest: string;
}

/** Formats a validator as text, for {@link parseHttpValidator}. */
export function formatHttpValidator({ etag, lastModified, digest }: HttpValidator): string {
  return JSON.stringify([digest, etag ?? null, lastModified ?? null]);
}

/** Parses a validator; undefined for that of another kind of reader. */
export function parseHttpValidator(text: string | undefined): HttpValidator | undefined {
  if (!text?.startsWith("[")) return undefined;
  const [digest, etag, lastModified] = JSON.parse(text) as [string, string | null, string | null];
  return { digest, etag: etag ?? undefined, lastModified: lastModified ?? undefined };
}

/** The headers that request a document only if it has changed. */
export function conditionalHeaders(validator: HttpValidator | undefined): Record<string, string> {
  return withoutUndefined({ "if-none-match": validator?.etag, "if-modified-since": validator?.lastModified });
}
