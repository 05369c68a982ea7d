/** The callers that an admission lets through, in the words of `docs/reference/permissions.md`. Roles include those below them. */
export const admitted = {
  everyone: "everyone",
  visitors: "everyone; only users where the feature `anonymousAccess` is off",
  user: "the user",
  "organization member": "member of the organization",
  "organization creator": "creator in the organization",
  "organization admin": "admin of the organization",
  "organization sync admin": "admin of the organization, if superuser or the feature `memberTeamSync` is on",
  "team member": "member of the team",
  "namespace creator": "the namespace's user, creator in the organization",
  "repository read": "read on the repository",
  "repository write": "write on the repository",
  "repository admin": "admin on the repository",
  public: "everyone, if the repository is public",
  superuser: "superuser",
  "full-access superuser": "superuser with full access",
  "read-only superuser": "read-only superuser",
} as const;

/** One of {@link admitted}. */
export type Admitted = keyof typeof admitted;
