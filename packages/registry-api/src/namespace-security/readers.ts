import { type Access, missingScope, type Params } from "@plimsoll/registry/access/access";
import { heldScopes } from "@plimsoll/registry/access/principal";
import { holdsScope } from "@plimsoll/registry/access/scopes";

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
