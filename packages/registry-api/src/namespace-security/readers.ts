import { type Access, missingScope, type Params } from "../access/access.ts";
import { heldScopes } from "../access/principal.ts";
import { holdsScope } from "../access/scopes.ts";

/**
 * The callers that an access admits, where they may read repositories: a token without `repo:read` is refused, since for it all that is
 * private would be missing in the sums.
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
