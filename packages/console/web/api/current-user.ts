import { notifyManager, useQuery, useQueryClient } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";
import { call } from "./call.ts";
import { readConfig } from "./registry-config.ts";

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

/**
 * Fetches the signed-in user; null for an anonymous visitor. The registry refuses to name the user of a browser in which nobody has signed in, which the browser
 * shows as an error: so it is first asked whether somebody has, unless somebody had at the last visit.
 */
export async function readUser({ signal }: { readonly signal?: AbortSignal } = {}) {
  if (localStorage.getItem(key) === null && !(await readConfig({ signal })).signed_in) return null;
  try {
    const user = await call("GET /user/", {}, signal);
    localStorage.setItem(key, "yes");
    return user;
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) throw error;
    forgetSignIn();
    return null;
  }
}

const key = "plimsoll.signed-in";

/**
 * A function for after a sign-out: it forgets the user and all answers, and fetches again what the page then shows. What only the user sees leaves the page
 * first, since the registry would refuse what it asks for.
 */
export function useForgetUser(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    forgetSignIn();
    queries.setQueryData([currentUserKey], null);
    await new Promise<void>((resolve) => notifyManager.schedule(resolve));
    await queries.resetQueries({ predicate: ({ queryKey: [operation] }) => operation !== currentUserKey });
  };
}

/** Notes that nobody is signed in any more. */
function forgetSignIn(): void {
  localStorage.removeItem(key);
}
