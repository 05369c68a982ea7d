import { RegistryError } from "../errors.ts";

/** A kind of rows that a tenant makes the registry keep, and how many of them an owner may have. */
export interface KeptLimit {
  /** The kind of the owner, for the message. */
  readonly per: "namespace" | "repository" | "team" | "user";
  /** The default of the setting `keptLimits`. */
  readonly most: number;
  /** The name of the rows in messages. */
  readonly what: string;
  readonly table: string;
  /** What makes room for more, if deleting some is not enough. */
  readonly remedy?: string;
  /** The columns of the owner's id; of several, one has it. */
  readonly owner: readonly string[];
  /** A condition that other rows do not meet: they are waiting to be removed. */
  readonly unlessState?: "deleted";
}

/** All limits by name. They are far above what ordinary users need: they bound what one of them can cost. */
export const keptLimits = {
  applications: {
    per: "namespace",
    most: 1000,
    what: "applications",
    table: "oauth_application",
    owner: ["organization_id"],
  },
  appTokens: { per: "user", most: 1000, what: "app tokens", table: "app_token", owner: ["account_id"] },
  builds: { per: "repository", most: 100_000, what: "builds", table: "build", owner: ["repository_id"] },
  invites: { per: "team", most: 2000, what: "open invitations", table: "team_invite", owner: ["team_id"] },
  notifications: {
    per: "repository",
    most: 200,
    what: "notifications",
    table: "event_notification",
    owner: ["repository_id"],
  },
  prototypes: {
    per: "namespace",
    most: 1000,
    what: "default permissions",
    table: "prototype",
    owner: ["organization_id"],
  },
  prunePolicies: {
    per: "namespace",
    most: 5000,
    what: "prune policies",
    table: "prune_policy",
    owner: ["namespace_id"],
  },
  repositories: {
    ...{ per: "namespace", most: 100_000, what: "repositories", table: "image_repository", owner: ["namespace_id"] },
    unlessState: "deleted",
  },
  repositoryTokens: {
    per: "repository",
    most: 1000,
    what: "tokens",
    table: "repository_token",
    owner: ["repository_id"],
  },
  robots: { per: "namespace", most: 10_000, what: "robots", table: "robot", owner: ["owner_id"] },
  stars: { per: "user", most: 10_000, what: "starred repositories", table: "repository_star", owner: ["account_id"] },
  tags: {
    per: "repository",
    most: 250_000,
    what: "tags, including those that can be restored",
    table: "tag",
    owner: ["repository_id"],
    remedy:
      "delete some and wait until they cannot be restored and are collected (`tag_expiration_s` of the namespace)",
  },
  teamMembers: { per: "team", most: 20_000, what: "members", table: "team_member", owner: ["team_id"] },
  teams: { per: "namespace", most: 5000, what: "teams", table: "team", owner: ["organization_id"] },
  uploads: {
    ...{ per: "user", most: 2000, what: "uploads in progress in a namespace", table: "upload", owner: ["account_id"] },
    remedy: "end some, or wait until they expire",
  },
} as const satisfies Readonly<Record<string, KeptLimit>>;

/** The name of a limit. */
export type KeptName = keyof typeof keptLimits;

/** The limits in force. */
export type KeptMosts = Readonly<Record<KeptName, number>>;

/** The default limits. */
export const defaultKept: KeptMosts = Object.fromEntries(
  Object.entries(keptLimits).map(([name, { most }]) => [name, most]),
) as Record<KeptName, number>;

/** An owner has as many rows of a kind as the registry keeps for one. */
export class KeptLimitReached extends RegistryError {
  constructor(name: KeptName, most: number) {
    const { per, what, remedy = "delete some" }: KeptLimit = keptLimits[name];
    super(
      "invalid_request",
      `A ${per} has at most ${most} ${what}: ${remedy}, or ask the operator of the registry to raise keptLimits.${name}`,
    );
  }
}
