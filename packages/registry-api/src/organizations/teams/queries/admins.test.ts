import { createAccount } from "@plimsoll/registry/accounts/new-account";
import {
  listAdminMemberships,
  listSoleAdministered,
} from "@plimsoll/registry/organizations/teams/queries/organization-members";
import { addToTeam } from "@plimsoll/registry/organizations/teams/queries/teams";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../../../fixtures/test-registry.ts";

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "listAdminMemberships and listSoleAdministered on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("count users in admin teams, and no robots", async () => {
      await using registry = await openTestRegistry({ engine });
      const { db } = registry.store;
      const [ann, bob] = [await registry.user("ann"), await registry.user("bob")];
      const alone = await registry.organization("alone", { admin: [ann], member: [bob] });
      await registry.organization("shared", { admin: [ann, bob] });
      await registry.organization("bobs", { admin: [bob], creator: [ann] });
      const robot = await createAccount(db, registry.settings, { kind: "robot", username: "alone+ci", now: 0 });
      await addToTeam(db, `${alone.id}-admin`, robot.id);
      const second = {
        id: "second",
        organization_id: alone.id,
        name: "second",
        role: "admin",
        description: "",
      } as const;
      await db
        .insertInto("team")
        .values({ ...second, created_at: 0 })
        .execute();
      await addToTeam(db, "second", ann.id);

      const memberships = await listAdminMemberships(db, alone.id);

      expect(memberships.map(({ teamId }) => teamId).toSorted()).toEqual([`${alone.id}-admin`, "second"].toSorted());
      expect(new Set(memberships.map(({ accountId }) => accountId))).toEqual(new Set([ann.id]));
      expect(await listSoleAdministered(db, ann.id)).toEqual(["alone"]);
      expect(await listSoleAdministered(db, bob.id)).toEqual(["bobs"]);
    });
  },
);
