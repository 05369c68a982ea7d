import type { DocumentApi } from "@plimsoll/http";

/** Tells by the first segment of an address whether it is of the scanner API. */
export function scannerPaths({ operations }: Pick<DocumentApi, "operations">): (url: string) => boolean {
  const firstSegments = new Set(operations.map(({ path }) => path.split("/")[1]));
  return (url) => firstSegments.has(url.split("/")[1]);
}
