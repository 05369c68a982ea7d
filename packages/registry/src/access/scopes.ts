import type { RepositoryRole, TeamRole } from "../store/tables/accounts.ts";

/** What an OAuth token may be used for. */
export const scopes = {
  "repo:read": {
    title: "View all visible repositories",
    description: "See and pull every repository that the granting user sees",
    icon: "fa-hdd-o",
    dangerous: false,
  },
  "repo:write": {
    title: "Read/Write to any accessible repositories",
    description: "Push to and pull from repositories that the granting user may write",
    icon: "fa-hdd-o",
    dangerous: false,
  },
  "repo:admin": {
    title: "Administer Repositories",
    description: "Administer every repository that the granting user may administer",
    icon: "fa-hdd-o",
    dangerous: false,
  },
  "repo:create": {
    title: "Create Repositories",
    description: "Create repositories in namespaces where the granting user may",
    icon: "fa-plus",
    dangerous: false,
  },
  "user:read": {
    title: "Read User Information",
    description: "Read the granting user's name and e-mail address",
    icon: "fa-user",
    dangerous: false,
  },
  "user:admin": {
    title: "Administer User",
    description: "Administer the granting user's account, its robots and their permissions",
    icon: "fa-gear",
    dangerous: true,
  },
  "org:admin": {
    title: "Administer Organization",
    description: "Administer organizations: their robots, teams, members and settings",
    icon: "fa-gear",
    dangerous: true,
  },
  "super:user": {
    title: "Super User Access",
    description: "Administer the registry: its users, its organizations and itself",
    icon: "fa-street-view",
    dangerous: true,
  },
} as const;

/** A name of {@link scopes}. */
export type Scope = keyof typeof scopes;

/** The scopes of a caller's token; undefined for a caller without a token, whom no scope limits. */
export type HeldScopes = ReadonlySet<Scope> | undefined;

/**
 * The scopes of a text, separated by single spaces or commas. Undefined when a part is unknown, doubled delimiters and the
 * empty text included.
 */
export function parseScopes(text: string): ReadonlySet<Scope> | undefined {
  const parts = text.split(/[ ,]/);
  return parts.every(isScope) ? new Set(parts) : undefined;
}

function isScope(text: string): text is Scope {
  return scopeNames.has(text);
}

const scopeNames: ReadonlySet<string> = new Set(Object.keys(scopes));

const implied: Readonly<Partial<Record<Scope, readonly Scope[]>>> = {
  "repo:read": ["repo:write", "repo:admin"],
  "repo:write": ["repo:admin"],
  "user:read": ["user:admin"],
};

/** Whether the scopes of a caller include a scope, directly or by implication. */
export function holdsScope(held: HeldScopes, scope: Scope): boolean {
  return held === undefined || held.has(scope) || (implied[scope] ?? []).some((wider) => held.has(wider));
}

/** The highest repository role that scopes allow. */
export function repositoryCap(held: HeldScopes): RepositoryRole | undefined {
  if (holdsScope(held, "repo:admin")) return "admin";
  if (holdsScope(held, "repo:write")) return "write";
  return holdsScope(held, "repo:read") ? "read" : undefined;
}

/** The highest role in an organization that scopes allow. */
export function organizationCap(held: HeldScopes): TeamRole | undefined {
  if (holdsScope(held, "org:admin")) return "admin";
  return holdsScope(held, "repo:create") ? "creator" : undefined;
}
