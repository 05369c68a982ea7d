import { type Access, refusal } from "./access.ts";
import type { UserPrincipal } from "./principal.ts";
import type { Scope } from "./scopes.ts";

/** The user who calls. */
export interface CallerSubject {
  readonly caller: UserPrincipal;
  readonly account: UserPrincipal["account"];
}

/** Every caller, signed in or anonymous. */
export const anyone: Access<object> = {
  who: "every caller",
  anonymous: "always",
  admits: ["everyone"],
  admit: async () => ({}),
};

/** Every caller; anonymous requests only where the feature `anonymousAccess` is on. */
export const visitors: Access<object> = {
  who: "every caller, where anonymous access is on",
  anonymous: "where-allowed",
  admits: ["visitors"],
  admit: async () => ({}),
};

/** Users, about themselves. */
export function onSelf(scope: Scope = "user:admin"): Access<CallerSubject> {
  const rule = { who: "the user", anonymous: false as const, scope };
  return {
    ...rule,
    admits: ["user"],
    async admit({ principal }) {
      if (principal.kind !== "user") throw refusal(principal, rule);
      return { caller: principal, account: principal.account };
    },
  };
}

/** The superuser who calls. The usage log has what superusers do under no namespace unless the operation names one. */
export interface SuperuserSubject {
  readonly superuser: UserPrincipal["account"];
}

const forSuperusers = { who: "superusers", anonymous: false, scope: "super:user" } as const;

/** Superusers; for reading, global read-only superusers as well. */
export const superusers: Access<SuperuserSubject> = {
  ...forSuperusers,
  feature: "superusers",
  admits: ["superuser"],
  admitsReading: ["read-only superuser"],
  async admit({ principal, globalRole, isRead }) {
    const mayPass = globalRole.isSuperuser || (isRead && globalRole.isReadonlySuperuser);
    if (principal.kind !== "user" || !mayPass) throw refusal(principal, forSuperusers);
    return { superuser: principal.account };
  },
};
