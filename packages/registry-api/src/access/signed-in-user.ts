import { RegistryError } from "../errors.ts";
import type { Access } from "./access.ts";
import type { CallerSubject } from "./on-account.ts";
import { heldScopes } from "./principal.ts";
import { holdsScope } from "./scopes.ts";

/**
 * The user who calls. For pages that ask whether a user is signed in: an anonymous request is answered that no user is, and not
 * that it must sign in. A token that may not read users gets the same answer.
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
