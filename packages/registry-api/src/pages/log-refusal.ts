import { RegistryError } from "@plimsoll/registry/errors";
import { logFailedVisit } from "@plimsoll/registry/identity/sign-in/log-sign-ins";
import type { IdentityProvider, OutsideUser } from "@plimsoll/registry/ports/identities";
import type { requestContext } from "./request-context.ts";

/**
 * Signs in a user who returns from an identity provider. A refusal is written to the usage log.
 * @param signIn calls its argument with the user as soon as the provider has named them
 */
export async function logRefusal<Result>(
  { store, settings, request, now }: ReturnType<typeof requestContext>,
  { service }: IdentityProvider,
  signIn: (onUser: (user: OutsideUser) => void) => Promise<Result>,
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
