import { localPath } from "../shared/local-path.ts";
import { useSearchParam } from "../shared/search-param.ts";

/** The page to open after sign-in, from the parameter `next` of the address; undefined if it is absent or on another host. */
export function useNextPage(): string | undefined {
  const [next] = useSearchParam("next");
  return localPath(next, window.location.origin);
}
