import type { DocumentApi } from "@plimsoll/http";

/** Returns a function that decides by the first segment of a path whether it belongs to the scanner API. */
export function scannerPaths({ operations }: Pick<DocumentApi, "operations">): (url: string) => boolean {
  const firstSegments = new Set(operations.map(({ path }) => path.split("/")[1]));
  return (url) => firstSegments.has(url.split("/")[1]);
}
