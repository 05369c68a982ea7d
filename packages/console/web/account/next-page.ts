import { localPath } from "../shared/local-path.ts";
import { useSearchParam } from "../shared/search-param.ts";

/** The page that the visitor asked for before an account was missing, as the address has it; undefined where there is none on this host. */
export function useNextPage(): string | undefined {
  const [next] = useSearchParam("next");
  return localPath(next, window.location.origin);
}
