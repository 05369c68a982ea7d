import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import { logout } from "../api/generated/user.ts";

/** The end of the visitor's session: all that was shown is asked again. */
export function useSignOut() {
  const queries = useQueryClient();
  return useMutation({ mutationFn: () => call(logout, {}), onSuccess: () => queries.resetQueries() });
}
