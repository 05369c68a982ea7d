import type { OutsideRole } from "../../ports/identities.ts";

/** The tables of accounts, teams, credentials and OAuth applications. Secrets are stored in the forms of `crypto/secrets.ts`. */
export interface AccountTables {
  account: AccountTable;
  robot: RobotTable;
  robot_federation: RobotFederationTable;
  retired_namespace: RetiredNamespaceTable;
  session: SessionTable;
  external_login: ExternalLoginTable;
  logout_token: LogoutTokenTable;
  failed_sign_in: FailedSignInTable;
  sign_in_network: SignInNetworkTable;
  directory_login: DirectoryLoginTable;
  email_code: EmailCodeTable;
  team: TeamTable;
  team_member: TeamMemberTable;
  team_invite: TeamInviteTable;
  team_sync: TeamSyncTable;
  prototype: PrototypeTable;
  oauth_application: OAuthApplicationTable;
  oauth_token: OAuthTokenTable;
  oauth_code: OAuthCodeTable;
  oauth_assignment: OAuthAssignmentTable;
  app_token: AppTokenTable;
  user_notification: UserNotificationTable;
}

/** The kinds of accounts. */
export type AccountKind = "user" | "organization" | "robot";

/** A user, an organization or a robot; the first two are namespaces. */
export interface AccountTable {
  /** UUID. */
  id: string;
  kind: AccountKind;
  /** Unique. A robot's is `namespace+short`; that of a deleted account is a colon and its id, which is not a valid name. */
  username: string;
  email: string | null;
  /** Null: no password, as organizations and robots have none. */
  password_hash: string | null;
  verified: 0 | 1;
  enabled: 0 | 1;
  /** A change ends every session and registry token of the account. */
  credential_version: number;
  invoice_email: 0 | 1;
  invoice_email_address: string | null;
  /** How long removed tags of the namespace can be restored, in seconds. */
  tag_expiration_s: number;
  /**
   * The user's role in the whole registry besides the settings: the highest in `external_login`. `first`: the account with which the
   * registry was initialized while the settings named no superuser; it is one as long as they name none.
   */
  outside_role: OutsideRole | "first" | null;
  /** JSON object: `given_name`, `family_name`, `company`, `location`. */
  profile: string;
  created_at: number;
  last_accessed_at: number | null;
}

/** The columns that only robots have. */
export interface RobotTable {
  account_id: string;
  /** The namespace to which it belongs. */
  owner_id: string;
  short_name: string;
  description: string;
  /** JSON object. */
  metadata: string;
  token_sealed: string;
  token_hash: string;
}

/** A federation: the external issuer and the subject of tokens with which a robot signs in. */
export interface RobotFederationTable {
  /** The robot's account. */
  robot_id: string;
  /** The address of the issuer, exactly as its tokens name it. */
  issuer: string;
  subject: string;
  created_at: number;
}

/** The names of deleted namespaces whose content is not collected yet. New accounts cannot use them until then. */
export interface RetiredNamespaceTable {
  account_id: string;
  name: string;
  retired_at: number;
}

/** The session of a browser in which a user has signed in. */
export interface SessionTable {
  /** The hash of the cookie's value. */
  id_hash: string;
  account_id: string;
  /** The account's when the session began. */
  credential_version: number;
  csrf_token: string;
  created_at: number;
  /** When the password was last given. */
  fresh_at: number;
  expires_at: number;
  /** The identity provider with which the user signed in; null: another way. */
  outside_service: string | null;
  /** The provider's identifier of the user. */
  outside_subject: string | null;
  /** The session at the provider, if the provider names it. */
  outside_sid: string | null;
  /** The provider's ID token, encrypted. At sign-out it names the provider's session to end. */
  outside_token_sealed: string | null;
}

/** A logout token of an identity provider that was used, until it is too old to be used again. */
export interface LogoutTokenTable {
  service: string;
  jti_hash: string;
  expires_at: number;
}

/** A user of an external service, and their account. */
export interface ExternalLoginTable {
  /** `ldap`, or the name of an identity provider. */
  service: string;
  /** The service's unique identifier of the user. */
  subject: string;
  account_id: string;
  created_at: number;
  /** The user's role in the whole registry, by the service at the last sign-in. */
  role: OutsideRole | null;
  /** When the account was disabled, since the directory no longer had the user. */
  left_at: number | null;
}

/** Failed sign-ins with one name or e-mail address, whether an account has it or not. */
export interface FailedSignInTable {
  /** The key of the login, see `sign-in/failed-sign-ins.ts`. */
  mark: string;
  /** When the failures no longer count. Each adds to it. */
  spent_until: number;
  /** When a right password last ended the count; 0 if none has. */
  forgiven_at: number;
}

/** The networks from which accounts signed in. */
export interface SignInNetworkTable {
  account_id: string;
  /** `customerNetwork` of the client's address. */
  network: string;
  /** The last sign-in, within a day. */
  seen_at: number;
}

/** The logins besides names and addresses with which users of a directory have signed in. */
export interface DirectoryLoginTable {
  /** As `foldLogin` writes it. */
  login: string;
  account_id: string;
  /** The last sign-in, within a day. */
  seen_at: number;
}

/** One-time codes that are sent by e-mail. */
export interface EmailCodeTable {
  code_hash: string;
  account_id: string | null;
  repository_id: string | null;
  purpose: "confirm" | "change_email" | "recover" | "authorize_repository";
  email: string;
  /** When it was used; for `authorize_repository`, when the address was confirmed. */
  confirmed_at: number | null;
  expires_at: number;
}

/** What members of a team may do in the organization. */
export type TeamRole = "member" | "creator" | "admin";

export interface TeamTable {
  id: string;
  organization_id: string;
  name: string;
  role: TeamRole;
  description: string;
  created_at: number;
}

export interface TeamMemberTable {
  team_id: string;
  account_id: string;
}

/** An unanswered invite to a team, of an account or an e-mail address. */
export interface TeamInviteTable {
  /** UUID; the code is `urn:teaminvite:<id>`. */
  id: string;
  team_id: string;
  account_id: string | null;
  email: string | null;
  inviter_id: string;
  created_at: number;
}

/** A team whose users are synchronized with a directory or an identity provider. */
export interface TeamSyncTable {
  team_id: string;
  service: string;
  /** JSON object: for LDAP `{ group_dn }`, for an identity provider `{ group_name }`. */
  config: string;
  synced_at: number | null;
}

/** A role on a repository. */
export type RepositoryRole = "read" | "write" | "admin";

/** A default permission of an organization's new repositories. */
export interface PrototypeTable {
  id: string;
  organization_id: string;
  /** The account to whose new repositories it applies; null: all accounts. */
  activating_id: string | null;
  delegate_account_id: string | null;
  delegate_team_id: string | null;
  role: RepositoryRole;
  created_at: number;
}

export interface OAuthApplicationTable {
  client_id: string;
  organization_id: string;
  name: string;
  description: string;
  application_uri: string;
  redirect_uri: string;
  avatar_email: string | null;
  secret_sealed: string;
  created_at: number;
}

/** An access token of an application on behalf of a user. */
export interface OAuthTokenTable {
  id: string;
  token_hash: string;
  client_id: string;
  account_id: string;
  /** Separated by single spaces. */
  scope: string;
  name: string | null;
  created_at: number;
  expires_at: number;
  last_accessed_at: number | null;
}

/** A code that is exchanged for a token, once. */
export interface OAuthCodeTable {
  code_hash: string;
  client_id: string;
  account_id: string;
  scope: string;
  redirect_uri: string;
  /** The challenge of PKCE, always by `S256`. Null: the application sent none. */
  code_challenge: string | null;
  /** The token for which it was exchanged, which is deleted if the code is sent again. Null: not exchanged yet. */
  token_id: string | null;
  expires_at: number;
}

/** A request of an organization's admin to a user to grant an application a token. */
export interface OAuthAssignmentTable {
  /** UUID, also that of the notification about it. */
  id: string;
  client_id: string;
  account_id: string;
  /** Separated by single spaces. */
  scope: string;
  redirect_uri: string;
  created_at: number;
}

/** A password of a user for one program. */
export interface AppTokenTable {
  id: string;
  account_id: string;
  title: string;
  token_hash: string;
  token_sealed: string;
  created_at: number;
  expires_at: number | null;
  last_accessed_at: number | null;
}

/** A notification that a user sees in the registry. */
export interface UserNotificationTable {
  id: string;
  account_id: string;
  kind: string;
  /** JSON object. */
  metadata: string;
  /** The namespace whose quota it is about, once for each account; null for other notifications. */
  about_id: string | null;
  /** The notification is deleted when fewer bytes than these are used; null: it does not depend on usage. */
  from_bytes: number | null;
  /** The service key that it is about. It is deleted with the key. Null for other notifications. */
  service_key_kid: string | null;
  dismissed: 0 | 1;
  created_at: number;
}
