import { useLocation } from "wouter";
import { useQuery } from "./query.ts";

/** A parameter of the address as state: it survives a reload and can be shared. Setting it replaces the history entry. */
export function useSearchParam(name: string): readonly [string, (value: string) => void] {
  const query = useQuery();
  const [path, navigate] = useLocation();
  const set = (value: string) => {
    const params = new URLSearchParams(window.location.search);
    if (value === "") params.delete(name);
    else params.set(name, value);
    const text = params.toString();
    navigate(text === "" ? path : `${path}?${text}`, { replace: true });
  };
  return [new URLSearchParams(query).get(name) ?? "", set];
}
