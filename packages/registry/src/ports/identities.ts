/** What a directory or an identity provider says about a user. The user's account follows what is present. */
export interface OutsideProfile {
  /** An identity provider's only if it has verified that it is the user's. */
  readonly email?: string;
  readonly givenName?: string;
  readonly familyName?: string;
}

/** A user whom a directory has, with the role in the registry that the directory's filters give the user. */
export interface FoundUser extends OutsideProfile {
  readonly role?: OutsideRole;
}

/** A user of a directory. */
export interface DirectoryUser extends FoundUser {
  /** The name, spelled as in the directory. */
  readonly username: string;
}

/** A directory with which teams are synchronized and, if it is configured so, with which users sign in. */
export interface Directory {
  /** `ldap`. */
  readonly service: string;
  /** Whether its users sign in with it; otherwise it is used for teams only, and has no user. */
  readonly signsUsersIn: boolean;
  /**
   * The user with a login (a name or an e-mail address) and a password; undefined unless exactly one user matches.
   * @throws RegistryError `downstream_issue` if the directory does not respond
   */
  authenticate(
    login: string,
    password: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<DirectoryUser | undefined>;
  /** Those of some names (in lower case) whose users may sign in. @throws RegistryError `downstream_issue` */
  findUsers(
    usernames: readonly string[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<ReadonlyMap<string, FoundUser>>;
  /**
   * The names of the members of a group, if users sign in with the directory of those who may; undefined if there is no such group.
   * @throws RegistryError `downstream_issue`
   */
  listGroup(group: string, options?: { readonly signal?: AbortSignal }): Promise<readonly string[] | undefined>;
}

/**
 * The members of a directory with which nobody signs in.
 * @example
 * const teams: Directory = { ...forTeamsOnly, service: "ldap", listGroup: async () => ["alice"] };
 */
export const forTeamsOnly = {
  signsUsersIn: false,
  authenticate: async () => undefined,
  findUsers: async () => new Map<string, FoundUser>(),
} as const satisfies Partial<Directory>;

/** The directory of a registry without one: it has no group and no user. */
export const noDirectory: Directory = { ...forTeamsOnly, service: "", listGroup: async () => undefined };

/** A user of an identity provider. */
export interface OutsideUser extends OutsideProfile {
  /** The provider's unique identifier of the user, which never changes. */
  readonly subject: string;
  /** The user's preferred name. */
  readonly username?: string;
  /** Absent if the provider does not provide groups. */
  readonly groups?: readonly string[];
  /** The role in the registry that the provider's groups give the user. */
  readonly role: OutsideRole | undefined;
  /** Why the user's groups do not let them in; absent if they do. */
  readonly refusal?: string;
  /** Absent if it is not known. */
  readonly session?: ProviderSession;
}

/** The session of a user at an identity provider. */
export interface ProviderSession {
  /** Absent if the provider does not name it. */
  readonly sid?: string;
  /** As the provider has signed it. */
  readonly idToken: string;
}

/** The sessions that an identity provider has ended. */
export interface ProviderLogout {
  /** The user; absent if only the session is named. */
  readonly subject?: string;
  /** The session; absent if all sessions of the user have ended. */
  readonly sid?: string;
  /** The id of the logout token, which is accepted once. */
  readonly jti: string;
  /** When the logout token expires, in epoch milliseconds. */
  readonly usableUntil: number;
}

/** The role in the whole registry that a directory or identity provider gives a user, in addition to the settings. */
export type OutsideRole = "superuser" | "restricted";

/** A sign-in from the redirect to the provider until the browser returns. */
export interface BegunSignIn {
  /** Returned in the query of the callback. */
  readonly state: string;
  /** Returned in the signed id token. */
  readonly nonce: string;
  /** Proves to the provider that the code is exchanged by the client that requested it (PKCE). */
  readonly codeVerifier: string;
  /** The address to which the browser returns. */
  readonly redirectUri: string;
}

/** An OpenID Connect provider with which users sign in in their browsers. */
export interface IdentityProvider {
  /** Its name in addresses and logins. */
  readonly service: string;
  /** Its name for users. */
  readonly title: string;
  /** Whether users without an account get one. */
  readonly createsAccounts: boolean;
  /** Whether it provides groups, with which teams can be synchronized. */
  readonly providesGroups: boolean;
  /** The address to which the browser is redirected. @throws RegistryError `downstream_issue` */
  begin(signIn: BegunSignIn): Promise<string>;
  /**
   * The user who has signed in with the provider.
   * @param answer the query of the callback
   * @throws RegistryError `insufficient_scope` if the provider refuses the user, `downstream_issue`
   */
  finish(signIn: BegunSignIn, answer: URLSearchParams): Promise<OutsideUser>;
  /**
   * The address at which a user who has signed out of the registry can sign out of the provider; undefined if the provider has no such page.
   * @throws RegistryError `downstream_issue`
   */
  endAddress(end: { readonly idToken?: string; readonly returnTo: string }): Promise<string | undefined>;
  /** The sessions that a logout token ends. @throws RegistryError `invalid_request`, `downstream_issue` */
  readLogout(token: string, now: number): Promise<ProviderLogout>;
}

/** Checks tokens of external issuers, such as those that CI systems issue to their jobs. */
export interface FederatedTokens {
  /**
   * Checks the signature of a token, its issuer, subject, audience and times.
   * @throws RegistryError `invalid_token`, with the reason
   */
  verify(
    token: string,
    expected: {
      readonly issuer: string;
      readonly subject: string;
      readonly audiences: readonly string[];
      readonly now: number;
    },
  ): Promise<void>;
}
