import { RegistryError } from "../errors.ts";
import type { IdentityProvider, OutsideUser } from "../ports/identities.ts";
import { logFailedVisit } from "../sign-in/log-sign-ins.ts";
import type { requestContext } from "./request-context.ts";

/**
 * Signs in a user who comes back from an identity provider. A refusal is written to the usage log.
 * @param signIn tells who the user is, once that is known
 */
export async function noteRefusal<Result>(
  { store, settings, request, now }: ReturnType<typeof requestContext>,
  { service }: IdentityProvider,
  signIn: (tell: (user: OutsideUser) => void) => Promise<Result>,
): Promise<Result> {
  let subject: string | undefined;
  try {
    return await signIn((user) => {
      subject = user.subject;
    });
  } catch (error) {
    if (error instanceof RegistryError) {
      const place = { type: "session", ip: request.ip, userAgent: request.userAgent, now } as const;
      await logFailedVisit({ db: store.db, settings }, { service, subject, message: error.message }, place);
    }
    throw error;
  }
}
