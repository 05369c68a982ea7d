import { useDeferredValue } from "react";
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

/** A part of names by which the registry filters a list, as state in the address: `?filter=web`. */
export interface Filter {
  readonly value: string;
  readonly set: (value: string) => void;
  /** What the registry is asked for, a moment after it was typed; absent where nothing was. */
  readonly find: string | undefined;
}

/** The filter of a list that the registry filters. */
export function useFilter(): Filter {
  const [value, set] = useSearchParam("filter");
  return { value, set, find: useDeferredValue(value.trim()) || undefined };
}

/** The order of a list: by the name of a column, with `-` before it the largest first. */
export interface Order<Name extends string = string> {
  readonly value: Name | `-${Name}`;
  readonly set: (value: string) => void;
}

/** The order of a list that the registry orders, as state in the address: `?order=-size`. A change leads back to the first page. */
export function useOrder<const Name extends string>(
  names: readonly Name[],
  initial: Order<Name>["value"],
): Order<Name> {
  const [text, setText] = useSearchParam("order");
  const [, setPage] = useSearchParam("page");
  const known = names.flatMap((name): readonly Order<Name>["value"][] => [name, `-${name}`]);
  return {
    value: known.find((each) => each === text) ?? initial,
    set: (value) => {
      setPage("");
      setText(value === initial ? "" : value);
    },
  };
}

/** The query of the address as it is written, without its `?`. wouter decodes the query, so its hook serves only to render again on changes. */
export function useQuery(): string {
  useSearch();
  return window.location.search.slice(1);
}
