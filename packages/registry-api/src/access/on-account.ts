import type { Access } from "./access.ts";
import { refusal } from "./access.ts";
import type { UserPrincipal } from "./principal.ts";
import type { Scope } from "./scopes.ts";

/** The user who calls. */
export interface CallerSubject {
  readonly caller: UserPrincipal;
  readonly account: UserPrincipal["account"];
}

/** Everybody, signed in or not. */
export const anyone: Access<object> = { who: "everybody", admit: async () => ({}) };

/** Everybody, where those who have not signed in are let in at all. */
export const visitors: Access<object> = { who: "everybody, where the registry is open", admit: async () => ({}) };

/** Users, about themselves. */
export function onSelf(scope: Scope = "user:admin"): Access<CallerSubject> {
  return {
    who: "the user",
    scope,
    async admit({ principal }) {
      if (principal.kind !== "user") throw refusal(principal);
      return { caller: principal, account: principal.account };
    },
  };
}

/** The superuser who calls. What superusers do is logged in nobody's namespace unless they say in whose. */
export interface SuperuserSubject {
  readonly superuser: UserPrincipal["account"];
}

/** Superusers; for reading, global read-only superusers as well. */
export const superusers: Access<SuperuserSubject> = {
  who: "superusers",
  scope: "super:user",
  feature: "superusers",
  async admit({ principal, standing, isRead }) {
    const mayPass = standing.isSuperuser || (isRead && standing.isReadonlySuperuser);
    if (principal.kind !== "user" || !mayPass) throw refusal(principal);
    return { superuser: principal.account };
  },
};
