import type { Session } from "../../access/session.ts";
import type { CallContext } from "../../context.ts";
import { findProviderSession } from "./queries/token-holders.ts";

/** The page on which a user who signs out of the registry can sign out of the identity provider too. */
export interface ProviderSignOut {
  /** The title of the provider. */
  readonly title: string;
  readonly address: string;
}

/**
 * Finds the page on which a session of an identity provider is ended. Undefined if the registry's session was not begun with a provider,
 * or the provider has no such page or does not respond. Must be called before the registry's session ends.
 * @param returnTo the page of the registry to which the provider redirects
 */
export async function findProviderSignOut(
  { db, identityProviders, secrets }: Pick<CallContext, "db" | "identityProviders" | "secrets">,
  session: Session | undefined,
  returnTo: string,
): Promise<ProviderSignOut | undefined> {
  if (session?.principal === undefined || identityProviders.length === 0) return undefined;
  const begun = await findProviderSession(db, session.idHash);
  const provider = identityProviders.find(({ service }) => service === begun?.outside_service);
  if (provider === undefined) return undefined;
  const sealed = begun?.outside_token_sealed;
  const idToken = sealed ? secrets.open(sealed) : undefined;
  const address = await provider.endAddress({ returnTo, idToken: idToken || undefined }).catch(() => undefined);
  return address === undefined ? undefined : { title: provider.title, address };
}
