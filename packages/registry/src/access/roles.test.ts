import { describe, expect, it } from "vitest";
import type { RepositoryRole, TeamRole } from "../store/tables/accounts.ts";
import { includesRole, includesTeamRole, organizationRole, repositoryRole } from "./roles.ts";
import { type HeldScopes, type Scope, scopes } from "./scopes.ts";

const repositoryRoles: readonly RepositoryRole[] = ["read", "write", "admin"];
const teamRoles: readonly TeamRole[] = ["member", "creator", "admin"];

/** Every subset of a list. */
function subsets<Item>(items: readonly Item[]): Item[][] {
  return items.reduce<Item[][]>((sets, item) => sets.flatMap((set) => [set, [...set, item]]), [[]]);
}

/** Every set of scopes that a token can have, and the caller without one. */
const everyHeld: readonly HeldScopes[] = [
  undefined,
  ...subsets(Object.keys(scopes) as Scope[]).map((set) => new Set(set)),
];

describe("includesRole", () => {
  it.each([
    { role: undefined, includes: [] },
    { role: "read", includes: ["read"] },
    { role: "write", includes: ["read", "write"] },
    { role: "admin", includes: ["read", "write", "admin"] },
  ] as const)("says that $role includes $includes", ({ role, includes }) => {
    expect(repositoryRoles.filter((wanted) => includesRole(role, wanted))).toEqual(includes);
  });
});

describe("includesTeamRole", () => {
  it.each([
    { role: undefined, includes: [] },
    { role: "member", includes: ["member"] },
    { role: "creator", includes: ["member", "creator"] },
    { role: "admin", includes: ["member", "creator", "admin"] },
  ] as const)("says that $role includes $includes", ({ role, includes }) => {
    expect(teamRoles.filter((wanted) => includesTeamRole(role, wanted))).toEqual(includes);
  });
});

describe("repositoryRole", () => {
  it.each([
    { owns: true, teams: [], grants: [], role: "admin" },
    { owns: true, teams: ["member"], grants: ["read"], role: "admin" },
    { owns: false, teams: ["admin"], grants: [], role: "admin" },
    { owns: false, teams: ["member", "admin"], grants: ["read"], role: "admin" },
    { owns: false, teams: ["creator"], grants: [], role: undefined },
    { owns: false, teams: ["member"], grants: [], role: undefined },
    { owns: false, teams: ["creator"], grants: ["write"], role: "write" },
    { owns: false, teams: [], grants: [], role: undefined },
    { owns: false, teams: [], grants: ["read"], role: "read" },
    { owns: false, teams: [], grants: ["write", "read"], role: "write" },
    { owns: false, teams: [], grants: ["read", "admin", "write"], role: "admin" },
  ] as const)("is $role for $teams, $grants and ownership $owns", ({ owns, teams, grants, role }) => {
    expect(repositoryRole({ ownsNamespace: owns, teamRoles: teams, grants }, undefined)).toBe(role);
  });

  it("is the lower of what connects the caller and what the scopes allow, for every set of scopes and memberships", () => {
    const allowed = (held: HeldScopes) => {
      if (held === undefined || held.has("repo:admin")) return 3;
      if (held.has("repo:write")) return 2;
      return held.has("repo:read") ? 1 : 0;
    };
    for (const held of everyHeld) {
      for (const ownsNamespace of [false, true]) {
        for (const teams of subsets(teamRoles)) {
          for (const grants of subsets(repositoryRoles)) {
            const isAdmin = ownsNamespace || teams.includes("admin") || grants.includes("admin");
            const has = isAdmin ? 3 : grants.includes("write") ? 2 : grants.includes("read") ? 1 : 0;

            const role = repositoryRole({ ownsNamespace, teamRoles: teams, grants }, held);

            expect(role).toBe([undefined, ...repositoryRoles][Math.min(has, allowed(held))]);
          }
        }
      }
    }
  });
});

describe("organizationRole", () => {
  it.each([
    { teams: [], role: undefined },
    { teams: ["member"], role: "member" },
    { teams: ["creator", "member"], role: "creator" },
    { teams: ["member", "admin", "creator"], role: "admin" },
  ] as const)("is $role for $teams", ({ teams, role }) => {
    expect(organizationRole(teams, undefined)).toBe(role);
  });

  it("is the lower of the teams' and what the scopes allow, for every set of scopes and teams", () => {
    const allowed = (held: HeldScopes) => {
      if (held === undefined || held.has("org:admin")) return 3;
      return held.has("repo:create") ? 2 : 0;
    };
    for (const held of everyHeld) {
      for (const teams of subsets(teamRoles)) {
        const has = teams.includes("admin") ? 3 : teams.includes("creator") ? 2 : teams.length;

        const role = organizationRole(teams, held);

        expect(role).toBe([undefined, ...teamRoles][Math.min(has, allowed(held))]);
      }
    }
  });
});
