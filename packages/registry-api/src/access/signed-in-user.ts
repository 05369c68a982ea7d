import { RegistryError } from "../errors.ts";
import type { Access } from "./access.ts";
import type { CallerSubject } from "./on-account.ts";
import { heldScopes } from "./principal.ts";
import { holdsScope } from "./scopes.ts";

/**
 * The user who calls, where a page asks whether there is one: nobody in particular is told that nobody is signed in, and not that
 * somebody must. The same is told a token that may not read users.
 */
export const signedInUser: Access<CallerSubject> = {
  who: "the user, with a token that may read users",
  anonymous: false,
  admits: ["user"],
  async admit({ principal }) {
    if (principal.kind === "user" && holdsScope(heldScopes(principal), "user:read")) {
      return { caller: principal, account: principal.account };
    }
    throw new RegistryError("invalid_token", "Requires authentication", { details: { session_required: false } });
  },
};
