import type { OutsideRole } from "../../ports/identities.ts";

/** The tables of accounts, teams, credentials and OAuth applications. Secrets are stored as `crypto/secrets.ts` makes them. */
export interface AccountTables {
  account: AccountTable;
  robot: RobotTable;
  robot_federation: RobotFederationTable;
  retired_namespace: RetiredNamespaceTable;
  session: SessionTable;
  external_login: ExternalLoginTable;
  logout_token: LogoutTokenTable;
  failed_sign_in: FailedSignInTable;
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
  /** Unique. A robot's is `namespace+short`; that of a deleted account is a colon and its id, which is no name. */
  username: string;
  email: string | null;
  /** Null: no password, as organizations and robots have none. */
  password_hash: string | null;
  verified: 0 | 1;
  enabled: 0 | 1;
  /** Changes when every session and registry token of the account is to end. */
  credential_version: number;
  invoice_email: 0 | 1;
  invoice_email_address: string | null;
  /** How long removed tags of the namespace can be restored, in seconds. */
  tag_expiration_s: number;
  /** What the services outside say that the user may do in the whole registry: the most of what `external_login` has. */
  outside_role: OutsideRole | null;
  /** JSON object: `given_name`, `family_name`, `company`, `location`. */
  profile: string;
  created_at: number;
  last_accessed_at: number | null;
}

/** The columns that only robots have. */
export interface RobotTable {
  account_id: string;
  /** The namespace it belongs to. */
  owner_id: string;
  short_name: string;
  description: string;
  /** JSON object. */
  metadata: string;
  token_sealed: string;
  token_hash: string;
}

/** Tokens of an issuer outside the registry, about one subject, with which a robot signs in. */
export interface RobotFederationTable {
  /** The robot's account. */
  robot_id: string;
  /** The address of the issuer, exactly as its tokens name it. */
  issuer: string;
  subject: string;
  created_at: number;
}

/** The names of deleted namespaces whose content is not collected yet: no new account can have them meanwhile. */
export interface RetiredNamespaceTable {
  account_id: string;
  name: string;
  retired_at: number;
}

/** The session of a browser in which a user has signed in. */
export interface SessionTable {
  /** Hash of what the cookie holds. */
  id_hash: string;
  account_id: string;
  /** The account's when the session began. */
  credential_version: number;
  csrf_token: string;
  created_at: number;
  /** When the password was last given. */
  fresh_at: number;
  expires_at: number;
  /** The identity provider that the user signed in with; null: another way. */
  outside_service: string | null;
  /** What the provider knows the user by. */
  outside_subject: string | null;
  /** The session at the provider, where it tells one. */
  outside_sid: string | null;
  /** The provider's ID token, encrypted: by it the provider knows which session is to end. */
  outside_token_sealed: string | null;
}

/** A logout token of an identity provider that was used, until it is too old to be used again. */
export interface LogoutTokenTable {
  service: string;
  jti_hash: string;
  expires_at: number;
}

/** A user of a service outside the registry, and the account that they sign in to. */
export interface ExternalLoginTable {
  /** `ldap`, or the name of an identity provider. */
  service: string;
  /** What the service knows the user by and gives to no other; unique with the service. */
  subject: string;
  account_id: string;
  created_at: number;
  /** What the service said at the last sign-in that the user may do in the whole registry. */
  role: OutsideRole | null;
  /** When the directory was found not to have the user any more, for which the account was disabled. */
  left_at: number | null;
}

/** Failures in a row to sign in with one name or e-mail address, whether an account has it or not. */
export interface FailedSignInTable {
  /** As `sign-in/failed-sign-ins.ts` makes it. */
  mark: string;
  failures: number;
  /** Sign-ins before this instant are refused. */
  locked_until: number;
}

/** One-time codes that are sent by e-mail. */
export interface EmailCodeTable {
  code_hash: string;
  account_id: string | null;
  repository_id: string | null;
  purpose: "confirm" | "change_email" | "recover" | "authorize_repository";
  email: string;
  /** When it was used; for `authorize_repository`, since when the address is confirmed. */
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

/** An invite to a team that is not answered yet, to an account or an e-mail address. */
export interface TeamInviteTable {
  /** UUID; the code is `urn:teaminvite:<id>`. */
  id: string;
  team_id: string;
  account_id: string | null;
  email: string | null;
  inviter_id: string;
  created_at: number;
}

/** A team whose human members come from a directory. */
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
  /** Only for repositories that this account creates. */
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
  /** Of PKCE, always by `S256`. Null: the application showed none. */
  code_challenge: string | null;
  /** The token that it was exchanged for, which ends when the code is shown again. Null: not exchanged yet. */
  token_id: string | null;
  expires_at: number;
}

/** A token that a user is asked to grant an application, by an admin of its organization. */
export interface OAuthAssignmentTable {
  /** UUID; that of the notification too. */
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
  /** The namespace whose quota it is about: no account is told the same of it twice. Null for what is about anything else. */
  about_id: string | null;
  /** The notification is deleted when fewer bytes than these are used; null: it does not depend on usage. */
  from_bytes: number | null;
  /** The service key that it is about, with which it is deleted; null for other notifications. */
  service_key_kid: string | null;
  dismissed: 0 | 1;
  created_at: number;
}
