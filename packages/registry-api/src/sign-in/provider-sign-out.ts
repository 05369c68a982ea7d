import type { Session } from "../access/session.ts";
import type { Sealer } from "../crypto/secrets.ts";
import type { Ports } from "../ports.ts";
import { baseUrl, type Origin } from "../settings.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { findProviderSession } from "./queries/sessions.ts";

/** What it takes to find where a user signs out of an identity provider. */
export interface ProviderSignOutContext {
  readonly db: RegistryDb;
  readonly ports: Pick<Ports, "identityProviders">;
  readonly secrets: Sealer;
}

/** Where a user who signs out here can sign out of the identity provider too. */
export interface ProviderSignOut {
  /** What people call the provider. */
  readonly title: string;
  readonly address: string;
}

/**
 * Where the browser of a session ends that of the identity provider which it began with. Undefined where it began otherwise, or the provider has no such page
 * or cannot be asked. Must be asked before the session ends.
 * @param origin where the browser finds the registry: it comes back to the page where users sign in
 */
export async function findProviderSignOut(
  { db, ports, secrets }: ProviderSignOutContext,
  session: Session | undefined,
  origin: Origin,
): Promise<ProviderSignOut | undefined> {
  if (session?.principal === undefined || !ports.identityProviders?.length) return undefined;
  const begun = await findProviderSession(db, session.idHash);
  const provider = ports.identityProviders.find(({ service }) => service === begun?.outside_service);
  if (provider === undefined) return undefined;
  const sealed = begun?.outside_token_sealed;
  const idToken = sealed ? secrets.open(sealed) : undefined;
  const returnTo = `${baseUrl(origin)}/signin`;
  const address = await provider.endAddress({ returnTo, ...(idToken && { idToken }) }).catch(() => undefined);
  return address === undefined ? undefined : { title: provider.title, address };
}
