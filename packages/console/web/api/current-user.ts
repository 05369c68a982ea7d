import { useQuery } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";
import { call } from "./call.ts";

/** The cache key of the signed-in user. */
export const currentUserKey = "current-user";

/** The signed-in user. */
export type CurrentUser = NonNullable<Awaited<ReturnType<typeof readUser>>>;

/**
 * Queries the signed-in user; null for an anonymous visitor.
 * @param retryOnMount whether a component that is shown after the query has failed repeats it; not for what shows that failure
 */
export function useCurrentUser({ retryOnMount = true }: { readonly retryOnMount?: boolean } = {}) {
  return useQuery({ queryKey: [currentUserKey], queryFn: readUser, staleTime: 60_000, retryOnMount });
}

/** Fetches the signed-in user; null for an anonymous visitor. */
export async function readUser({ signal }: { readonly signal?: AbortSignal } = {}) {
  try {
    return await call("GET /user/", {}, signal);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}
