import { useSearch } from "wouter";

/** The query of the address as it is written, without its `?`. wouter decodes the query, so its hook serves only to render again on changes. */
export function useQuery(): string {
  useSearch();
  return window.location.search.slice(1);
}
