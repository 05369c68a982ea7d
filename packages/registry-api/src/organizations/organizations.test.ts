import { findAccountById } from "@plimsoll/registry/access/queries";
import { deleteNamespace } from "@plimsoll/registry/lifecycle/collection/deletions";
import { changeOrganization } from "@plimsoll/registry/organizations/organizations";
import { describe, expect, it } from "vitest";
import { addTestRepository } from "../fixtures/test-content.ts";
import { openTestRegistry } from "../fixtures/test-registry.ts";

describe("changeOrganization", () => {
  it("leaves an organization deleted that was deleted meanwhile", async () => {
    await using registry = await openTestRegistry();
    const { store, settings, time } = registry;
    const asItWas = await registry.organization("acme");
    await addTestRepository(store.db, asItWas.id);
    await store.transaction((db) => deleteNamespace(db, asItWas, { now: () => time.now }));

    await changeOrganization({ db: store.db, settings, log: async () => {} }, asItWas, { invoice_email: true });

    expect(await findAccountById(store.db, asItWas.id)).toMatchObject({ username: `:${asItWas.id}`, enabled: 0 });
  });
});
