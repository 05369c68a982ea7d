import { useSearchParam } from "../shared/search-param.ts";

/** The page to open after sign-in, from the parameter `next` of the address; undefined if it is absent or on another host. */
export function useNextPage(): string | undefined {
  const [next] = useSearchParam("next");
  return localPath(next, window.location.origin);
}

/** Parses the address of a page of an origin to a path with its query; undefined for any text that a browser might resolve to another origin. */
export function localPath(text: string, origin: string): string | undefined {
  if (!/^\/[^\\\x00-\x20\x7f]*$/.test(text)) return undefined;
  const url = URL.parse(text, origin);
  if (url === null || url.origin !== origin || url.pathname.startsWith("//")) return undefined;
  return `${url.pathname}${url.search}`;
}
