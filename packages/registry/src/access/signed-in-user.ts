import { RegistryError } from "../errors.ts";
import type { Access } from "./access.ts";
import type { CallerSubject } from "./on-account.ts";
import { heldScopes } from "./principal.ts";
import { holdsScope } from "./scopes.ts";

/**
 * The user who calls. For pages that check whether a user is signed in: the response to an anonymous request says that no user is,
 * and does not require signing in. A token that may not read users gets the same response.
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
