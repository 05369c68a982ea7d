import { equalSecrets, hashSecret, randomToken, type Sealer } from "../crypto/secrets.ts";
import { invalidRequest, notFound } from "../errors.ts";
import type { BegunSignIn, IdentityProvider, OutsideUser } from "../ports/identities.ts";
import type { Ports } from "../ports.ts";
import { baseUrl, type Origin } from "../settings.ts";

/** Why a browser visits a provider. */
export type VisitPurpose =
  | { readonly kind: "login"; readonly returnPath?: string | undefined }
  | { readonly kind: "attach"; readonly accountId: string };

/** A visit of a browser at a provider, from which it has not come back. */
export interface OutsideVisit extends BegunSignIn {
  readonly purpose: VisitPurpose;
}

/** What visits need of a request. */
export interface VisitContext {
  readonly secrets: Sealer;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Of the browser's session: no other browser can go on with what this one began. */
  readonly csrfToken: string;
}

/** How long people have for signing in elsewhere, and for choosing a name. */
const patienceMs = 15 * 60_000;

/** The provider of a name. @throws RegistryError `not_found` */
export function getProvider({ identityProviders = [] }: Ports, service: string): IdentityProvider {
  const provider = identityProviders.find((each) => each.service === service);
  if (provider === undefined) throw notFound(`There is no identity provider ${service.slice(0, 100)}`);
  return provider;
}

/**
 * Sends a browser to a provider. The state that it brings back holds, sealed, what the registry has to know then: nothing is stored,
 * and every node can go on.
 * @param origin where the browser finds the registry
 * @returns the address
 */
export async function beginVisit(
  context: VisitContext,
  provider: IdentityProvider,
  { origin, purpose }: { readonly origin: Origin; readonly purpose: VisitPurpose },
): Promise<string> {
  const [nonce, codeVerifier] = [randomToken(), randomToken()];
  const redirectUri = `${baseUrl(origin)}/oauth2/${provider.service}/callback`;
  const state = sealFor(context, `visit ${provider.service}`, { nonce, codeVerifier, redirectUri, purpose });
  return provider.begin({ state, nonce, codeVerifier, redirectUri });
}

/** The visit of a state that a browser has brought back. @throws RegistryError `invalid_request` for that of another browser, or an old one */
export function openVisit(context: VisitContext, provider: IdentityProvider, state: string): OutsideVisit {
  const opened = openFor<Omit<OutsideVisit, "state">>(context, `visit ${provider.service}`, state);
  return { ...opened, state };
}

/** A user whom a provider has identified and who is asked for a name, as a form keeps it. */
export function sealUser(context: VisitContext, { service }: IdentityProvider, kept: KeptUser): string {
  return sealFor(context, `user ${service}`, kept);
}

/** What {@link sealUser} has sealed. @throws RegistryError `invalid_request` */
export function openUser(context: VisitContext, { service }: IdentityProvider, sealed: string): KeptUser {
  return openFor<KeptUser>(context, `user ${service}`, sealed);
}

/** A user who is asked for a name, and the page to show afterwards. */
export interface KeptUser {
  readonly user: OutsideUser;
  readonly returnPath?: string | undefined;
}

function sealFor({ secrets, now, csrfToken }: VisitContext, what: string, content: object): string {
  const session = hashSecret(csrfToken);
  return secrets.seal(JSON.stringify({ what, session, expiresAt: now + patienceMs, content }));
}

function openFor<Content>({ secrets, now, csrfToken }: VisitContext, what: string, sealed: string): Content {
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
