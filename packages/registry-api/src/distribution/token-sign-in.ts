import type { Principal } from "@plimsoll/registry/access/principal";
import { logFailedSignIn } from "@plimsoll/registry/identity/sign-in/log-sign-ins";
import type { CredentialOptions } from "@plimsoll/registry/identity/sign-in/registry-credentials";
import type { FastifyRequest } from "fastify";
import { DistributionError } from "./distribution-error.ts";

/** The facts about a sign-in at the token service that the usage log records. */
export function signInPlace({ ip, headers }: Pick<FastifyRequest, "ip" | "headers">, now: number) {
  return { type: "v2auth", ip, userAgent: headers["user-agent"] ?? "", now } as const;
}

/** Runs a sign-in. The usage log records a refusal under the given user name. */
export async function signInLogged<Found extends Principal>(
  request: Pick<FastifyRequest, "ip" | "headers">,
  { db, settings, clock }: CredentialOptions,
  { username, signIn }: { readonly username: string; readonly signIn: () => Promise<Found> },
): Promise<Found> {
  try {
    return await signIn();
  } catch (error) {
    if (error instanceof DistributionError && error.code === "UNAUTHORIZED") {
      await logFailedSignIn({ db, settings }, { username, message: error.message }, signInPlace(request, clock.now()));
    }
    throw error;
  }
}
