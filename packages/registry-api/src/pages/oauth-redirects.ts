import { invalidRequest, type RegistryError } from "@plimsoll/registry/errors";
import type { GrantRequest } from "@plimsoll/registry/identity/oauth/grant-request";
import {
  addToRedirect,
  isAllowedRedirect,
  parseRedirect,
  type RedirectRule,
} from "@plimsoll/registry/identity/oauth/redirect-uri";
import type { RegistrySettings } from "@plimsoll/registry/settings";
import { effectiveOrigin } from "../http/browser-calls.ts";
import type { RepliedRequest } from "../http/reply-operation.ts";
import { pageAddresses } from "../page-addresses.ts";

/** The rule of redirects for a request. */
export function redirectRule(request: RepliedRequest, settings: RegistrySettings): RedirectRule {
  const ownPage = pageAddresses(effectiveOrigin(request, settings))({ kind: "granted-token" });
  return { ownPage, compatibility: settings.compatibility };
}

/**
 * The address to which the browser is redirected if the request must be refused; undefined if it can be granted.
 * @throws RegistryError `invalid_request` if the application has no valid address to redirect to
 */
export function refuseGrant(grantRequest: GrantRequest, rule: RedirectRule): string | undefined {
  const { application, redirectUri, responseType, challenge } = grantRequest;
  if (!isAllowedRedirect(redirectUri, application.redirect_uri, rule)) {
    if (parseRedirect(application.redirect_uri) === undefined) throw redirectRefused();
    return addToRedirect(application.redirect_uri, { error: "redirect_uri_mismatch" });
  }
  if (responseType !== "token" && responseType !== "code")
    return errorRedirect(grantRequest, "unsupported_response_type");
  if (challenge === undefined || isChallenge(challenge)) return undefined;
  return errorRedirect(
    grantRequest,
    "invalid_request",
    "code_challenge_method: expected S256 and 43 characters of base64url",
  );
}

/**
 * The address that reports an error to an application: in the query, and if it expects a token also in the fragment.
 * @see https://www.rfc-editor.org/rfc/rfc6749#section-4.2.2.1
 */
export function errorRedirect(
  { redirectUri, responseType, state }: GrantRequest,
  error: string,
  error_description?: string,
): string {
  const fields = { error, error_description, state };
  return addToRedirect(redirectUri, fields, responseType === "token" ? fields : undefined);
}

/** @throws RegistryError `invalid_request` for an address that the application has not registered */
export function checkRedirect({ redirectUri, application }: GrantRequest, rule: RedirectRule): void {
  if (!isAllowedRedirect(redirectUri, application.redirect_uri, rule)) throw redirectRefused();
}

/** RFC 7636 §4.2. The method `plain` does not protect users whose requests an attacker can read. */
function isChallenge({ value, method }: NonNullable<GrantRequest["challenge"]>): boolean {
  return method === "S256" && /^[\w-]{43}$/.test(value);
}

function redirectRefused(): RegistryError {
  return invalidRequest("invalid_request: the redirect_uri is not one of the application");
}
