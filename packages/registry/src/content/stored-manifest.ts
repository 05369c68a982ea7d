import { isObject } from "../values/json-objects.ts";

/** A layer in a stored manifest. */
export interface StoredLayer {
  readonly digest: string;
  readonly size: number;
  /** Where clients fetch it, if not from the registry. */
  readonly urls: readonly string[];
}

/** An entry of a stored index. */
export interface StoredEntry {
  readonly mediaType: string;
  readonly digest: string;
  /** Members that are no texts are left out. */
  readonly platform: Readonly<Partial<Record<"os" | "architecture" | "variant", string>>>;
}

/**
 * The layers in the content of a manifest. Its push has checked what a push needs: any other member may have any value, and `null` stands
 * for an absent one.
 */
export function layersOf(content: string): readonly StoredLayer[] {
  const { layers } = JSON.parse(content) as { readonly layers?: readonly Record<keyof StoredLayer, unknown>[] | null };
  return (layers ?? []).map(({ digest, size, urls }) => ({
    ...{ digest: String(digest), size: Number(size) },
    urls: Array.isArray(urls) ? urls.filter((url): url is string => typeof url === "string") : [],
  }));
}

/** The entries in the content of an index; see {@link layersOf}. */
export function entriesOf(content: string): readonly StoredEntry[] {
  const { manifests } = JSON.parse(content) as {
    readonly manifests?: readonly Record<keyof StoredEntry, unknown>[] | null;
  };
  return (manifests ?? []).map(({ mediaType, digest, platform }) => ({
    ...{ mediaType: String(mediaType), digest: String(digest) },
    platform: isObject(platform) ? textsOf(platform, ["os", "architecture", "variant"]) : {},
  }));
}

function textsOf(value: Readonly<Record<string, unknown>>, names: readonly string[]) {
  return Object.fromEntries(names.flatMap((name) => (typeof value[name] === "string" ? [[name, value[name]]] : [])));
}
