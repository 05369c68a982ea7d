import { describe, expect, it } from "vitest";
import { defaultRegistrySettings, type RegistrySettings } from "../settings.ts";
import {
  globalRoleOf,
  isReadonlyName,
  isSuperuserAccount,
  isSuperuserName,
  seesEveryRepository,
} from "./global-role.ts";
import { type Account, anonymous, type Principal, type UserCredential } from "./principal.ts";
import type { Scope } from "./scopes.ts";

/** `both` is in both lists. */
function settingsOf(features: Partial<RegistrySettings["features"]> = {}): RegistrySettings {
  return {
    ...defaultRegistrySettings,
    superusers: ["root", "both"],
    globalReadonlySuperusers: ["auditor", "both"],
    features: { ...defaultRegistrySettings.features, ...features },
  };
}

function account(kind: Account["kind"], username: string): Account {
  return {
    id: username,
    kind,
    username,
    email: null,
    password_hash: null,
    verified: 1,
    enabled: 1,
    credential_version: 1,
    invoice_email: 0,
    invoice_email_address: null,
    tag_expiration_s: 0,
    outside_role: null,
    profile: "{}",
    created_at: 0,
    last_accessed_at: null,
  };
}

function token(...scopes: readonly Scope[]): UserCredential {
  return { kind: "oauth", token: { id: "", clientId: "", applicationName: "", scopes: new Set(scopes) } };
}

const session: UserCredential = { kind: "session", idHash: "", csrfToken: "", freshAt: 0 };
const appToken: UserCredential = { kind: "app-token", id: "", title: "" };
const user = (username: string, via: UserCredential): Principal => ({
  kind: "user",
  account: account("user", username),
  via,
});
const robot = (username: string): Principal => ({ kind: "robot", account: account("robot", username), ownerId: "" });

const noRole = { isSuperuser: false, hasFullAccess: false, isReadonlySuperuser: false };
const superuser = { ...noRole, isSuperuser: true };
const almighty = { ...superuser, hasFullAccess: true };
const auditor = { ...noRole, isReadonlySuperuser: true };

describe("isSuperuserAccount", () => {
  it.each([
    { superusers: [], outside_role: "first", features: {}, is: true },
    { superusers: ["root"], outside_role: "first", features: {}, is: false },
    { superusers: [], outside_role: "first", features: { superusers: false }, is: false },
    { superusers: [], outside_role: null, features: {}, is: false },
  ] as const)(
    "of $outside_role, with $superusers in the settings and $features, is $is",
    ({ superusers, outside_role, features, is }) => {
      const settings = { ...settingsOf(features), superusers };

      expect(isSuperuserAccount(settings, { username: "ada", outside_role })).toBe(is);
      expect(
        isSuperuserAccount({ ...settings, globalReadonlySuperusers: ["ada"] }, { username: "ada", outside_role }),
      ).toBe(false);
    },
  );
});

describe("globalRoleOf", () => {
  it.each([
    { who: "an anonymous request", principal: anonymous, plain: noRole, full: noRole },
    { who: "a user", principal: user("ann", session), plain: noRole, full: noRole },
    { who: "a user's token for superusers", principal: user("ann", token("super:user")), plain: noRole, full: noRole },
    { who: "a superuser", principal: user("root", session), plain: superuser, full: almighty },
    { who: "a superuser's password", principal: user("root", { kind: "password" }), plain: superuser, full: almighty },
    { who: "a superuser's app token", principal: user("root", appToken), plain: superuser, full: almighty },
    { who: "a superuser's token", principal: user("root", token("super:user")), plain: superuser, full: almighty },
    { who: "a token without the scope", principal: user("root", token("org:admin")), plain: noRole, full: noRole },
    { who: "a read-only superuser", principal: user("auditor", session), plain: auditor, full: auditor },
    {
      who: "a read-only superuser's token",
      principal: user("auditor", token("repo:read")),
      plain: auditor,
      full: auditor,
    },
    { who: "one who is named as both", principal: user("both", session), plain: auditor, full: auditor },
    { who: "a robot of that name", principal: robot("root"), plain: noRole, full: noRole },
    { who: "a read-only robot", principal: robot("auditor"), plain: noRole, full: noRole },
  ])("of $who", ({ principal, plain, full }) => {
    expect(globalRoleOf(principal, settingsOf())).toEqual(plain);
    expect(globalRoleOf(principal, settingsOf({ superuserFullAccess: true }))).toEqual(full);
    expect(globalRoleOf(principal, settingsOf({ superusers: false, superuserFullAccess: true }))).toEqual(noRole);
  });
});

describe("isSuperuserAccount", () => {
  it.each([
    { username: "ann", outside_role: "superuser", isSuperuser: true },
    { username: "ann", outside_role: "restricted", isSuperuser: false },
    { username: "ann", outside_role: null, isSuperuser: false },
    { username: "root", outside_role: "restricted", isSuperuser: true },
    { username: "auditor", outside_role: "superuser", isSuperuser: false },
  ] as const)("says $isSuperuser for $username, whom a service outside calls $outside_role", (row) => {
    expect(isSuperuserAccount(settingsOf(), row)).toBe(row.isSuperuser);
    expect(isSuperuserAccount(settingsOf({ superusers: false }), row)).toBe(false);
  });
});

describe("isSuperuserName", () => {
  it.each([
    { name: "root", isSuperuser: true, isReadonly: false },
    { name: "auditor", isSuperuser: false, isReadonly: true },
    { name: "both", isSuperuser: false, isReadonly: true },
    { name: "ROOT", isSuperuser: false, isReadonly: false },
    { name: "ann", isSuperuser: false, isReadonly: false },
  ])("says $isSuperuser, and isReadonlyName $isReadonly, for $name", ({ name, isSuperuser, isReadonly }) => {
    expect(isSuperuserName(settingsOf(), name)).toBe(isSuperuser);
    expect(isReadonlyName(settingsOf(), name)).toBe(isReadonly);
    expect(isSuperuserName(settingsOf({ superusers: false }), name)).toBe(false);
    expect(isReadonlyName(settingsOf({ superusers: false }), name)).toBe(false);
  });
});

describe("seesEveryRepository", () => {
  it.each([
    { who: "an anonymous request", principal: anonymous, plain: false, full: false },
    { who: "a user", principal: user("ann", session), plain: false, full: false },
    { who: "a superuser", principal: user("root", session), plain: false, full: true },
    { who: "a superuser's token", principal: user("root", token("super:user")), plain: false, full: false },
    { who: "one that reads", principal: user("root", token("super:user", "repo:read")), plain: false, full: true },
    { who: "an auditor", principal: user("auditor", session), plain: true, full: true },
    { who: "an auditor's app token", principal: user("auditor", appToken), plain: true, full: true },
    { who: "an auditor's token", principal: user("auditor", token("user:read")), plain: false, full: false },
    { who: "one that reads", principal: user("auditor", token("repo:read")), plain: true, full: true },
  ])("is $plain for $who, and $full with full access", ({ principal, plain, full }) => {
    const sees = (features: Partial<RegistrySettings["features"]>) =>
      seesEveryRepository(principal, globalRoleOf(principal, settingsOf(features)));

    expect([sees({}), sees({ superuserFullAccess: true })]).toEqual([plain, full]);
  });
});
