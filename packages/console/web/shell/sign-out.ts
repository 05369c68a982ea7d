import { useQueryClient } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import { useOneAtATime } from "../api/use-one-at-a-time.ts";

/**
 * Ends the visitor's session and fetches all shown data again. If an identity provider with a logout page signed the user in, the browser opens
 * that page instead.
 */
export function useSignOut() {
  const queries = useQueryClient();
  return useOneAtATime({
    mutationFn: () => call("POST /signout", {}),
    onSuccess: ({ end_session_url: elsewhere }) => {
      if (elsewhere === undefined) return queries.resetQueries();
      window.location.assign(elsewhere);
    },
  });
}
