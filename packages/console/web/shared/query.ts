import { useSearch } from "wouter";

/** The query of the address as it is written, without its `?`. What wouter tells of it is decoded once, and so tells that it changed only. */
export function useQuery(): string {
  useSearch();
  return window.location.search.slice(1);
}
