import { useLocation, useSearch } from "wouter";

/**
 * A parameter of the address as state: it survives a reload and can be shared. Setting it replaces the history entry, as a filter does that
 * changes with every key, or adds one, so that Back leads to what was shown before.
 */
export function useSearchParam(
  name: string,
  entry: "replaced" | "added" = "replaced",
): readonly [string, (value: string) => void] {
  const query = useQuery();
  const [path, navigate] = useLocation();
  const set = (value: string) => {
    const params = new URLSearchParams(window.location.search);
    if (value === "") params.delete(name);
    else params.set(name, value);
    const text = params.toString();
    navigate(text === "" ? path : `${path}?${text}`, { replace: entry === "replaced" });
  };
  return [new URLSearchParams(query).get(name) ?? "", set];
}

/** The query of the address as it is written, without its `?`. wouter decodes the query, so its hook serves only to render again on changes. */
export function useQuery(): string {
  useSearch();
  return window.location.search.slice(1);
}
