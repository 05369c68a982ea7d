import { type Json, parseJson, ScanError } from "@plimsoll/core";
import { type FetchedDocument, fetchDocument } from "./fetch-document.ts";
import type { RegistryConnection } from "./from-registry.ts";

/** So many pages of a list are read at most. */
const maxPages = 1000;

/** Reads documents of a registry, and lists that it gives page by page. */
export interface PageReader {
  read(
    path: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<FetchedDocument>;
  /** @throws ScanError `malformed_image` for a list without an end */
  readPages(path: string, signal: AbortSignal | undefined): Promise<readonly Json[]>;
}

/** Reads what is below a repository. @param repository its name, for messages; empty for the registry itself */
export function pagesOf(
  { endpoints, retry, timeouts }: Pick<RegistryConnection, "endpoints" | "retry" | "timeouts">,
  repository: string,
): PageReader {
  const nameOf = (path: string) => (repository === "" ? path : `${repository}/${path}`);
  const reader: PageReader = {
    read(path, headers, signal) {
      const common = { endpoints, retry, ...(signal !== undefined && { signal }) };
      return fetchDocument({ ...common, path, what: nameOf(path), headers, timeoutMs: timeouts.documentMs });
    },
    async readPages(path, signal) {
      const pages: Json[] = [];
      for (let next: string | undefined = path; next !== undefined; ) {
        if (pages.length === maxPages) throw malformed(nameOf(path), `a list that ends within ${maxPages} pages`);
        const document = await reader.read(next, {}, signal);
        pages.push(parseJson(document.bytes, nameOf(next)));
        next = nextPage(document, path);
      }
      return pages;
    },
  };
  return reader;
}

/** A list of a document; none where it is `null` or missing, as some registries write an empty one. */
export function listOf(page: Json, name: string, what: string): readonly Json[] {
  const list = new Map(Object.entries(page ?? {})).get(name) ?? [];
  if (Array.isArray(list)) return list;
  throw malformed(what, `a list ${name}`);
}

function malformed(what: string, expected: string): ScanError {
  return new ScanError("malformed_image", `${what}: expected ${expected}, found something else`);
}

/** The path of the next page: only the query of the address is used, so a list never leads elsewhere. */
function nextPage({ headers }: FetchedDocument, path: string): string | undefined {
  const { link = "" } = headers;
  const [, target] = /^\s*<([^>]*)>\s*;\s*rel="?next"?/.exec(String(link)) ?? [];
  const url = target === undefined ? null : URL.parse(target, "https://registry.invalid");
  return url === null ? undefined : `${path.split("?")[0]}${url.search}`;
}
