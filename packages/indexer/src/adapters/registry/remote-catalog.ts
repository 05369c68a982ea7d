import { connectRegistry, type RegistryOptions } from "./from-registry.ts";
import { listOf, pagesOf } from "./read-pages.ts";

/** The catalog of a registry. Every failure is a ScanError; temporary ones are retried. Disposing closes its connections. */
export interface RemoteCatalog extends AsyncDisposable {
  /** The names of all repositories that the caller may see. @throws ScanError `not_found` if the registry has no catalog */
  listRepositories(signal?: AbortSignal): Promise<readonly string[]>;
}

/**
 * Opens the catalog of a registry. Nothing is sent before the first request.
 * @param registry its host, with an optional port
 * @throws ScanError `not_permitted` if `offline` is set
 * @see https://github.com/distribution/distribution/blob/v3.0.0/docs/content/spec/api.md#catalog
 * @example
 * await using catalog = await openRemoteCatalog("registry.example.com");
 * const names = await catalog.listRepositories();
 */
export async function openRemoteCatalog(registry: string, options: RegistryOptions = {}): Promise<RemoteCatalog> {
  const { client, ...connection } = await connectRegistry({ registry, repository: "" }, options);
  const { readPages } = pagesOf(connection, "");
  return {
    async listRepositories(signal) {
      const pages = await readPages("_catalog?n=1000", signal);
      const names = pages.flatMap((page) => listOf(page, "repositories", "_catalog"));
      return [...new Set(names.filter((name) => typeof name === "string"))];
    },
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}
