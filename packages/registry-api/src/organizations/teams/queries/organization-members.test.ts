import { findOrganizationMembers } from "@plimsoll/registry/organizations/teams/queries/organization-members";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../../../fixtures/test-registry.ts";

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "findOrganizationMembers on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("finds members among more accounts than fit a statement", async () => {
      await using registry = await openTestRegistry({ engine });
      const [ada, bob] = [await registry.user("ada"), await registry.user("bob")];
      const acme = await registry.organization("acme", { member: [ada] });
      const unknown = Array.from({ length: 70_000 }, (_, index) => `unknown-${index}`);

      const found = await findOrganizationMembers(registry.store.db, acme.id, [...unknown, bob.id, ada.id]);

      expect([...found]).toEqual([ada.id]);
      expect(await findOrganizationMembers(registry.store.db, acme.id, [])).toEqual(new Set());
    });
  },
);
