import type { Principal, UserPrincipal } from "@plimsoll/registry/access/principal";
import type { AccountRow } from "@plimsoll/registry/access/queries";
import type { Scope } from "@plimsoll/registry/access/scopes";
import { createRepository, mayCreateIn } from "@plimsoll/registry/repositories/new-repository";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../fixtures/test-registry.ts";

const engines = testEngines.map((engine) => ({ engine, title: engineTitle(engine) }));

describe.each(engines)("createRepository on $title", ({ engine }) => {
  it.skipIf(engine.skip !== undefined)("makes one repository when several make it at once", async () => {
    await using registry = await openTestRegistry({ engine });
    const { store, time } = registry;
    const ada = await registry.user("ada");
    const wanted = { namespace: ada, name: "app", visibility: "private", creator: ada, now: time.now } as const;

    const attempts = await Promise.allSettled(
      Array.from({ length: 8 }, () => store.transaction((db) => createRepository(db, wanted))),
    );

    expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const attempt of attempts) {
      if (attempt.status === "rejected") expect(attempt.reason).toMatchObject({ code: "invalid_request" });
    }
    expect(await store.db.selectFrom("account_permission").select(["account_id", "role"]).execute()).toEqual([
      { account_id: ada.id, role: "admin" },
    ]);
  });
});

describe("mayCreateIn", () => {
  const none = { isSuperuser: false, hasFullAccess: false, isReadonlySuperuser: false };

  function withToken(account: AccountRow, ...scopes: readonly Scope[]): UserPrincipal {
    const token = { id: "1", clientId: "1", applicationName: "tests", scopes: new Set(scopes) };
    return { kind: "user", account, via: { kind: "oauth", token } };
  }

  it("admits callers with the right in the namespace, as far as their token goes", async () => {
    await using registry = await openTestRegistry();
    const ada = await registry.user("ada");
    const maker = await registry.user("maker");
    const member = await registry.user("member");
    const acme = await registry.organization("acme", { admin: [ada], creator: [maker], member: [member] });
    const itself = (account: AccountRow): Principal => ({ kind: "user", account, via: { kind: "password" } });
    const robot: Principal = { kind: "robot", account: maker, ownerId: acme.id };

    const rows = [
      { who: "an admin", principal: itself(ada), namespace: acme, may: true },
      { who: "a creator", principal: itself(maker), namespace: acme, may: true },
      { who: "a member", principal: itself(member), namespace: acme, may: false },
      { who: "the user", principal: itself(member), namespace: member, may: true },
      { who: "another user", principal: itself(ada), namespace: member, may: false },
      { who: "a robot of a creator team", principal: robot, namespace: acme, may: true },
      { who: "a token that creates", principal: withToken(maker, "repo:create"), namespace: acme, may: true },
      { who: "a token that writes", principal: withToken(maker, "repo:write"), namespace: acme, may: false },
      { who: "a token that administers", principal: withToken(ada, "org:admin"), namespace: acme, may: true },
      { who: "a user's token that writes", principal: withToken(ada, "repo:admin"), namespace: ada, may: false },
      { who: "an anonymous request", principal: { kind: "anonymous" } as const, namespace: acme, may: false },
    ];
    for (const { who, principal, namespace, may } of rows) {
      const answer = await mayCreateIn(registry.store.db, { principal, globalRole: none }, namespace);
      expect({ who, may: answer }).toEqual({ who, may });
    }
    const full = { ...none, hasFullAccess: true };
    for (const { principal, may } of [
      { principal: itself(member), may: true },
      { principal: withToken(member, "super:user", "repo:create"), may: true },
      { principal: withToken(member, "super:user"), may: false },
    ]) {
      expect(await mayCreateIn(registry.store.db, { principal, globalRole: full }, acme)).toBe(may);
    }
  });
});
