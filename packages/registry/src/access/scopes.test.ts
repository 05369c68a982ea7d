import { describe, expect, it } from "vitest";
import { holdsScope, organizationCap, parseScopes, repositoryCap, type Scope, scopes } from "./scopes.ts";

const everyScope = Object.keys(scopes) as Scope[];

describe("parseScopes", () => {
  it.each([
    { text: "repo:read", parsed: ["repo:read"] },
    { text: "repo:read org:admin", parsed: ["repo:read", "org:admin"] },
    { text: "repo:read,org:admin user:read", parsed: ["repo:read", "org:admin", "user:read"] },
    { text: "repo:read repo:read", parsed: ["repo:read"] },
    { text: everyScope.join(","), parsed: everyScope },
    { text: "", parsed: undefined },
    { text: " ", parsed: undefined },
    { text: "repo:read, org:admin", parsed: undefined },
    { text: "repo:read  org:admin", parsed: undefined },
    { text: "repo:read ", parsed: undefined },
    { text: "repo:read nothing", parsed: undefined },
    { text: "direct_user_login", parsed: undefined },
    { text: "toString", parsed: undefined },
    { text: "REPO:READ", parsed: undefined },
  ])("reads '$text'", ({ text, parsed }) => {
    const held = parseScopes(text);

    expect(held && [...held]).toEqual(parsed);
  });
});

/** The rights of a token with one scope; it has no others. */
const rows: readonly {
  readonly held: Scope;
  readonly holds: readonly Scope[];
  readonly repository?: string;
  readonly organization?: string;
}[] = [
  { held: "repo:read", holds: ["repo:read"], repository: "read" },
  { held: "repo:write", holds: ["repo:read", "repo:write"], repository: "write" },
  { held: "repo:admin", holds: ["repo:read", "repo:write", "repo:admin"], repository: "admin" },
  { held: "repo:create", holds: ["repo:create"], organization: "creator" },
  { held: "user:read", holds: ["user:read"] },
  { held: "user:admin", holds: ["user:read", "user:admin"] },
  { held: "org:admin", holds: ["org:admin"], organization: "admin" },
  { held: "super:user", holds: ["super:user"] },
];

describe("holdsScope", () => {
  it.each(rows)("gives $held the scopes $holds", ({ held, holds }) => {
    expect(everyScope.filter((scope) => holdsScope(new Set([held]), scope))).toEqual(
      everyScope.filter((scope) => holds.includes(scope)),
    );
  });

  it("gives a token without scopes none, and a caller without a token all", () => {
    expect(everyScope.filter((scope) => holdsScope(new Set(), scope))).toEqual([]);
    expect(everyScope.filter((scope) => holdsScope(undefined, scope))).toEqual(everyScope);
  });
});

describe("repositoryCap", () => {
  it.each(rows)("lets $held be $repository", ({ held, repository }) => {
    expect(repositoryCap(new Set([held]))).toBe(repository);
  });

  it("is the highest of several scopes", () => {
    expect(repositoryCap(new Set<Scope>(["repo:read", "repo:write", "org:admin"]))).toBe("write");
    expect(repositoryCap(new Set(everyScope))).toBe("admin");
    expect(repositoryCap(new Set())).toBe(undefined);
    expect(repositoryCap(undefined)).toBe("admin");
  });
});

describe("organizationCap", () => {
  it.each(rows)("lets $held be $organization", ({ held, organization }) => {
    expect(organizationCap(new Set([held]))).toBe(organization);
  });

  it("is the highest of several scopes", () => {
    expect(organizationCap(new Set<Scope>(["repo:create", "org:admin"]))).toBe("admin");
    expect(organizationCap(new Set<Scope>(["repo:create", "repo:admin"]))).toBe("creator");
    expect(organizationCap(new Set())).toBe(undefined);
    expect(organizationCap(undefined)).toBe("admin");
  });
});
