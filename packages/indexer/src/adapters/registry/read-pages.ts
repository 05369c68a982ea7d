import { ScanError } from "@plimsoll/core";
import { parseJson } from "@plimsoll/core/internal";
import type { Json } from "@plimsoll/core/report";
import { type FetchedDocument, fetchDocument } from "./fetch-document.ts";
import type { RegistryConnection } from "./from-registry.ts";

/** The largest number of pages of a list. */
const maxPages = 1000;

/** The largest total size of the pages of a list, in bytes. */
const maxListBytes = 64 * 1024 * 1024;

/** Reads documents of a registry, and lists in pages. */
export interface PageReader {
  read(
    path: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<FetchedDocument>;
  /** Reads all pages of a list. @throws ScanError `malformed_image` for more than 1,000 pages, or 64 MiB */
  readPages(path: string, signal: AbortSignal | undefined): Promise<readonly Json[]>;
}

/** Opens a reader for a repository. @param repository its name, for messages; empty for the registry itself */
export function pagesOf(
  { endpoints, retry, timeouts }: Pick<RegistryConnection, "endpoints" | "retry" | "timeouts">,
  repository: string,
): PageReader {
  const nameOf = (path: string) => (repository === "" ? path : `${repository}/${path}`);
  const reader: PageReader = {
    read(path, headers, signal) {
      const common = { endpoints, retry, signal };
      return fetchDocument({ ...common, path, what: nameOf(path), headers, timeoutMs: timeouts.documentMs });
    },
    async readPages(path, signal) {
      const pages: Json[] = [];
      let leftBytes = maxListBytes;
      for (let next: string | undefined = path; next !== undefined; ) {
        if (pages.length === maxPages) throw malformed(nameOf(path), `a list that ends within ${maxPages} pages`);
        const document = await reader.read(next, {}, signal);
        leftBytes -= document.bytes.length;
        if (leftBytes < 0) throw malformed(nameOf(path), `a list of at most ${maxListBytes} bytes`);
        pages.push(parseJson(document.bytes, nameOf(next)));
        next = nextPage(document, path);
      }
      return pages;
    },
  };
  return reader;
}

/** A list in a document. A missing or null list is empty, because some registries write empty lists so. */
export function listOf(page: Json, name: string, what: string): readonly Json[] {
  const list = new Map(Object.entries(page ?? {})).get(name) ?? [];
  if (Array.isArray(list)) return list;
  throw malformed(what, `a list ${name}`);
}

function malformed(what: string, expected: string): ScanError {
  return new ScanError("malformed_image", `${what}: expected ${expected}, found something else`);
}

/** The path of the next page. Only the query of its address is used, so that a list never leads to another path or host. */
function nextPage({ headers }: FetchedDocument, path: string): string | undefined {
  const { link = "" } = headers;
  const [, target] = /^\s*<([^>]*)>\s*;\s*rel="?next"?/.exec(String(link)) ?? [];
  const url = target === undefined ? null : URL.parse(target, "https://registry.invalid");
  return url === null ? undefined : `${path.split("?")[0]}${url.search}`;
}
