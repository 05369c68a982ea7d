import type { CredentialOptions } from "@plimsoll/registry/identity/sign-in/registry-credentials";
import { robotTokenSeconds, signRobotToken } from "@plimsoll/registry/identity/sign-in/robot-tokens";
import type { FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { DistributionError } from "./distribution-error.ts";
import { basicUsername, type RegistryAuth } from "./identify-caller.ts";
import { signInLogged } from "./token-sign-in.ts";

/** The response of the exchange. */
export const RobotToken = Type.Object({ token: Type.String(), expires_in: Type.Integer(), issued_at: Type.String() });

/** Exchanges Basic credentials, a robot with the token of a CI system, for a robot token. A robot token cannot be exchanged again. */
export async function exchangeRobotToken(
  request: FastifyRequest,
  options: CredentialOptions,
  auth: RegistryAuth,
): Promise<Static<typeof RobotToken>> {
  const signIn = async () => {
    const principal = (await auth.identifyBasic(request.headers, request.ip))?.principal;
    if (principal?.kind === "robot" && principal.federation === "CI token") return principal;
    throw exchangeRefused(auth.challenge());
  };
  const robot = await signInLogged(request, options, { username: basicUsername(request.headers), signIn });
  const now = options.clock.now();
  return {
    token: await signRobotToken(robot, { key: options.tokenKey, now }),
    expires_in: robotTokenSeconds,
    issued_at: new Date(now).toISOString(),
  };
}

function exchangeRefused(challenge: string): DistributionError {
  const options = { detail: {}, headers: { "www-authenticate": challenge } };
  const message = "Expected Basic credentials: the name of a robot, and a token of a CI system with which it signs in";
  return new DistributionError("UNAUTHORIZED", message, options);
}
