/** A user of a directory. */
export interface DirectoryUser {
  /** The name, in the letters that the directory has. */
  readonly username: string;
  readonly email?: string;
  /** What the directory's filters make of the user here. */
  readonly role?: OutsideRole;
}

/** A directory that teams take their members from, and where it offers that, that users sign in with. */
export interface Directory {
  /** `ldap`. */
  readonly service: string;
  /**
   * The user whose login (a name or an e-mail address) and password these are; undefined where they are those of no single user.
   * Absent where the directory is used for teams only.
   * @throws RegistryError `downstream_issue` where the directory cannot be asked
   */
  authenticate?(
    login: string,
    password: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<DirectoryUser | undefined>;
  /**
   * Which of these names (in lower case) those of users are who may sign in, and what each may do here. Absent where the directory is
   * used for teams only.
   * @throws RegistryError `downstream_issue`
   */
  findUsers?(
    usernames: readonly string[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<ReadonlyMap<string, OutsideRole | undefined>>;
  /** The names of those in a group; undefined when there is no such group. @throws RegistryError `downstream_issue` */
  listGroup(group: string, options?: { readonly signal?: AbortSignal }): Promise<readonly string[] | undefined>;
}

/** A user of an identity provider. */
export interface OutsideUser {
  /** What the provider knows the user by; it gives it to no other, and it never changes. */
  readonly subject: string;
  /** The name that the user would like. */
  readonly username?: string;
  /** Only where the provider says that it is the user's. */
  readonly email?: string;
  /** Absent where the provider tells no groups. */
  readonly groups?: readonly string[];
  /** What the provider's groups make of the user here. */
  readonly role: OutsideRole | undefined;
  /** Absent where it is not known. */
  readonly session?: ProviderSession;
}

/** The session of a user at an identity provider. */
export interface ProviderSession {
  /** Absent where the provider does not name it. */
  readonly sid?: string;
  /** As the provider has signed it. */
  readonly idToken: string;
}

/** Which sessions an identity provider has ended. */
export interface ProviderLogout {
  /** The user; absent where the session alone is named. */
  readonly subject?: string;
  /** The session; absent where all of the user's have ended. */
  readonly sid?: string;
  /** The name of the token that says so: it is used once. */
  readonly jti: string;
  /** Until when the token could be used: epoch milliseconds. */
  readonly usableUntil: number;
}

/** What a service outside says that a user may do in the whole registry, besides what the settings say. */
export type OutsideRole = "superuser" | "restricted";

/** A sign-in that waits for the user's browser to come back. */
export interface BegunSignIn {
  /** Comes back with the browser. */
  readonly state: string;
  /** Comes back in the provider's signed answer. */
  readonly nonce: string;
  /** Shows the provider that who exchanges the code is who asked for it (PKCE). */
  readonly codeVerifier: string;
  /** Where the browser comes back. */
  readonly redirectUri: string;
}

/** A service that users sign in with in their browsers, with OpenID Connect. */
export interface IdentityProvider {
  /** Its name in addresses and logins. */
  readonly service: string;
  /** What people call it. */
  readonly title: string;
  /** Whether users who have no account yet get one. */
  readonly createsAccounts: boolean;
  /** Whether it tells groups, so that teams can be synchronized with them. */
  readonly tellsGroups: boolean;
  /** The address that the browser is sent to. @throws RegistryError `downstream_issue` */
  begin(signIn: BegunSignIn): Promise<string>;
  /**
   * The user who has signed in there.
   * @param answer the query with which the browser came back
   * @throws RegistryError `insufficient_scope` where the provider or its groups refuse the user, `downstream_issue`
   */
  finish(signIn: BegunSignIn, answer: URLSearchParams): Promise<OutsideUser>;
  /**
   * The address that the browser of a user is sent to who signs out here, to sign out there; undefined where the provider has no such page.
   * @throws RegistryError `downstream_issue`
   */
  endAddress(end: { readonly idToken?: string; readonly returnTo: string }): Promise<string | undefined>;
  /** Which sessions a logout token ends. @throws RegistryError `invalid_request`, `downstream_issue` */
  readLogout(token: string, now: number): Promise<ProviderLogout>;
}

/** Checks tokens of issuers outside, such as CI systems give their jobs. */
export interface FederatedTokens {
  /**
   * Checks the signature of a token, its issuer, subject, audience and times.
   * @throws RegistryError `invalid_token` that says why
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
