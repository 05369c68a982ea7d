import { type Access, missingScope, type Params } from "../../access/access.ts";
import { heldScopes } from "../../access/principal.ts";
import { holdsScope } from "../../access/scopes.ts";

/**
 * An access that requires the scope `repo:read` as well. Without that scope, the sums would leave out private repositories without
 * saying so.
 */
export function readersOf<Subject, Named extends Params>(access: Access<Subject, Named>): Access<Subject, Named> {
  return {
    ...access,
    scope: "repo:read",
    async admit(request) {
      const subject = await access.admit(request);
      if (!holdsScope(heldScopes(request.principal), "repo:read")) throw missingScope("repo:read");
      return subject;
    },
  };
}
