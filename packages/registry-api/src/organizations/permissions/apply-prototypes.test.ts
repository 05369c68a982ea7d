import { applyPrototypes, grantsOfNewRepository } from "@plimsoll/registry/organizations/permissions/prototypes";
import type { PrototypeRule } from "@plimsoll/registry/organizations/permissions/queries/prototypes";
import type { RepositoryRole } from "@plimsoll/registry/store/tables/accounts";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../../fixtures/test-registry.ts";

/** `creator>delegate:role`; `*` is every creator, `@` marks a team. */
function parseRule(text: string): PrototypeRule {
  const [creator = "", rest = ""] = text.split(">");
  const [delegate = "", role] = rest.split(":");
  const isTeam = delegate.startsWith("@");
  return {
    activating_id: creator === "*" ? null : creator,
    delegate_account_id: isTeam ? null : delegate,
    delegate_team_id: isTeam ? delegate.slice(1) : null,
    role: role as RepositoryRole,
  };
}

describe("grantsOfNewRepository", () => {
  it.each([
    { prototypes: "", grants: "ann:admin" },
    { prototypes: "*>bob:read", grants: "ann:admin bob:read" },
    { prototypes: "*>@dev:write", grants: "ann:admin @dev:write" },
    { prototypes: "*>bob:read *>@bob:write", grants: "ann:admin bob:read @bob:write" },
    { prototypes: "ann>bob:write", grants: "ann:admin bob:write" },
    { prototypes: "eve>bob:write", grants: "ann:admin" },
    { prototypes: "*>bob:admin ann>bob:read", grants: "ann:admin bob:read" },
    { prototypes: "ann>bob:read *>bob:admin", grants: "ann:admin bob:read" },
    { prototypes: "*>bob:write eve>bob:read", grants: "ann:admin bob:write" },
    { prototypes: "*>bob:write *>bob:read", grants: "ann:admin bob:write" },
    { prototypes: "ann>bob:read ann>bob:admin", grants: "ann:admin bob:admin" },
    { prototypes: "*>ann:read ann>ann:write", grants: "ann:admin" },
  ])("gives $grants where ann creates and the prototypes are '$prototypes'", ({ prototypes, grants }) => {
    const rules = prototypes.split(" ").filter(Boolean).map(parseRule);

    const given = grantsOfNewRepository(rules, "ann");

    expect(given.map(({ kind, id, role }) => `${kind === "team" ? "@" : ""}${id}:${role}`).join(" ")).toBe(grants);
  });
});

describe("applyPrototypes", () => {
  it("grants the roles on the repository", async () => {
    await using registry = await openTestRegistry();
    const [ann, bob] = [await registry.user("ann"), await registry.user("bob")];
    const org = await registry.organization("acme", { admin: [ann], member: [bob] });
    const owner = await registry.session(ann);
    const rule = { role: "write", delegate: { kind: "team", name: "members" } };
    await owner("POST", "/organization/acme/prototypes", rule);
    await owner("POST", "/organization/acme/prototypes", { role: "read", delegate: { kind: "user", name: "bob" } });
    const repository = { id: "r", namespace_id: org.id };
    const shared = { name: "app", kind: "image", visibility: "private", state: "NORMAL", description: "" } as const;
    await registry.store.db
      .insertInto("image_repository")
      .values({ ...repository, ...shared, badge_token: "", size_bytes: 0, created_at: 0, deleted_at: null })
      .execute();

    await applyPrototypes(registry.store.db, repository, { creatorId: ann.id });

    const { db } = registry.store;
    expect(await db.selectFrom("account_permission").selectAll().orderBy("role").execute()).toEqual([
      { repository_id: "r", account_id: ann.id, role: "admin" },
      { repository_id: "r", account_id: bob.id, role: "read" },
    ]);
    expect(await db.selectFrom("team_permission").selectAll().execute()).toEqual([
      { repository_id: "r", team_id: `${org.id}-member`, role: "write" },
    ]);
  });
});
