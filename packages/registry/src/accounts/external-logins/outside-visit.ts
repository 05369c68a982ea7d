import { equalSecrets, hashSecret, randomToken, type Sealer } from "../../crypto/secrets.ts";
import { invalidRequest, notFound } from "../../errors.ts";
import type { BegunSignIn, IdentityProvider, OutsideUser } from "../../ports/identities.ts";
import type { Ports } from "../../ports.ts";

/** The purpose of a browser's visit to a provider. */
export type VisitPurpose =
  | { readonly kind: "login"; readonly returnPath?: string | undefined }
  | { readonly kind: "attach"; readonly accountId: string };

/** An unfinished visit of a browser to a provider. */
export interface OutsideVisit extends BegunSignIn {
  readonly purpose: VisitPurpose;
}

/** What visits need. */
export interface VisitDeps {
  readonly secrets: Sealer;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The CSRF token of the browser's session, so that no other browser can finish its visit. */
  readonly csrfToken: string;
}

/** How long users have for signing in at the provider, and for choosing a name. */
const patienceMs = 15 * 60_000;

/** The provider of a name. @throws RegistryError `not_found` */
export function getProvider(
  { identityProviders }: Pick<Ports, "identityProviders">,
  service: string,
): IdentityProvider {
  const provider = identityProviders.find((each) => each.service === service);
  if (provider === undefined) throw notFound(`There is no identity provider ${service.slice(0, 100)}`);
  return provider;
}

/**
 * Begins a visit to a provider. The `state` parameter contains the sealed facts that finish it later, so that nothing is stored and any
 * node can finish it.
 * @param redirectUri where the provider sends the browser back, at the origin at which it reaches the registry
 * @returns the address to which the browser must be redirected
 */
export async function beginVisit(
  deps: VisitDeps,
  provider: IdentityProvider,
  { redirectUri, purpose }: { readonly redirectUri: string; readonly purpose: VisitPurpose },
): Promise<string> {
  const [nonce, codeVerifier] = [randomToken(), randomToken()];
  const state = sealFor(deps, `visit ${provider.service}`, { nonce, codeVerifier, redirectUri, purpose });
  return provider.begin({ state, nonce, codeVerifier, redirectUri });
}

/** Opens the visit in a returned `state`. @throws RegistryError `invalid_request` for the state of another browser, or an expired one */
export function openVisit(deps: VisitDeps, provider: IdentityProvider, state: string): OutsideVisit {
  const opened = openFor<Omit<OutsideVisit, "state">>(deps, `visit ${provider.service}`, state);
  return { ...opened, state };
}

/** Seals a user, identified by a provider, for the form in which they choose a name. */
export function sealUser(deps: VisitDeps, { service }: IdentityProvider, kept: KeptUser): string {
  return sealFor(deps, `user ${service}`, kept);
}

/** Opens a result of {@link sealUser}. @throws RegistryError `invalid_request` */
export function openUser(deps: VisitDeps, { service }: IdentityProvider, sealed: string): KeptUser {
  return openFor<KeptUser>(deps, `user ${service}`, sealed);
}

/** A user who must choose a name, and the page to show afterwards. */
export interface KeptUser {
  readonly user: OutsideUser;
  readonly returnPath?: string | undefined;
}

function sealFor({ secrets, now, csrfToken }: VisitDeps, what: string, content: object): string {
  const session = hashSecret(csrfToken);
  return secrets.seal(JSON.stringify({ what, session, expiresAt: now + patienceMs, content }));
}

function openFor<Content>({ secrets, now, csrfToken }: VisitDeps, what: string, sealed: string): Content {
  const opened = secrets.open(sealed);
  if (opened?.startsWith("{")) {
    const { what: purpose, session, expiresAt, content } = JSON.parse(opened) as Readonly<Record<string, unknown>>;
    const isOfSession = typeof session === "string" && equalSecrets(session, hashSecret(csrfToken));
    if (purpose === what && isOfSession && Number(expiresAt) > now) return content as Content;
  }
  throw invalidRequest(
    "This sign-in is too old, or began in another browser, or cookies are switched off: begin again",
  );
}
