import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import { logout } from "../api/generated/user.ts";

/**
 * The end of the visitor's session: all that was shown is asked again. Where the session began with an identity provider that has a page for it, the browser
 * goes there to sign out too.
 */
export function useSignOut() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call(logout, {}),
    onSuccess: ({ end_session_url: elsewhere }) => {
      if (elsewhere === undefined) return queries.resetQueries();
      window.location.assign(elsewhere);
    },
  });
}
