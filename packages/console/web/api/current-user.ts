import { useQuery } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";
import { call } from "./call.ts";
import { getLoggedInUser } from "./generated/user.ts";

/** The key under which the visitor is remembered. */
export const currentUserKey = "current-user";

/** A user who is signed in. */
export type CurrentUser = NonNullable<Awaited<ReturnType<typeof readUser>>>;

/** The signed-in user; null for an anonymous visitor. */
export function useCurrentUser() {
  return useQuery({ queryKey: [currentUserKey], queryFn: readUser, staleTime: 60_000 });
}

/** Asks who is signed in. */
export async function readUser({ signal }: { readonly signal?: AbortSignal } = {}) {
  try {
    return await call(getLoggedInUser, {}, signal);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}
