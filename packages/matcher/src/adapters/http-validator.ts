/** What is remembered of a document that came over HTTP: the server's words for its state and a digest of our own. */
export interface HttpValidator {
  readonly etag?: string;
  readonly lastModified?: string;
  /** Of the content; recognizes an unchanged document even where the server does not. */
  readonly digest: string;
}

/** As text, for {@link parseHttpValidator}. */
export function formatHttpValidator({ etag, lastModified, digest }: HttpValidator): string {
  return JSON.stringify([digest, etag ?? null, lastModified ?? null]);
}

/** Undefined for what another kind of reader made. */
export function parseHttpValidator(text: string | undefined): HttpValidator | undefined {
  if (!text?.startsWith("[")) return undefined;
  const [digest, etag, lastModified] = JSON.parse(text) as [string, string | null, string | null];
  return { digest, ...(etag !== null && { etag }), ...(lastModified !== null && { lastModified }) };
}

/** The headers that ask for the document only if it changed. */
export function conditionalHeaders(validator: HttpValidator | undefined): Record<string, string> {
  return {
    ...(validator?.etag !== undefined && { "if-none-match": validator.etag }),
    ...(validator?.lastModified !== undefined && { "if-modified-since": validator.lastModified }),
  };
}
