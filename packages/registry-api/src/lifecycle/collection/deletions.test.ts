import { createAccount } from "@plimsoll/registry/accounts/new-account";
import { deleteNamespace } from "@plimsoll/registry/lifecycle/collection/deletions";
import { collectNamespaceJob } from "@plimsoll/registry/lifecycle/collection/jobs";
import { listJobs } from "@plimsoll/store";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { addTestRepository } from "../../fixtures/test-content.ts";
import { openTestRegistry } from "../../fixtures/test-registry.ts";
import { putRepository } from "../../fixtures/test-repositories.ts";

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "deleteNamespace on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)(
      "hides what there was, keeps the name, and leaves the rest to a job",
      async () => {
        await using registry = await openTestRegistry({ engine });
        const { db } = registry.store;
        const ann = await registry.user("ann");
        const organization = await registry.organization("acme", { admin: [ann] });
        const repositoryId = await addTestRepository(db, organization.id);
        const clock = { now: () => registry.time.now };

        await registry.store.transaction((transaction) => deleteNamespace(transaction, organization, clock));

        const left = await db.selectFrom("account").selectAll().where("id", "=", organization.id).executeTakeFirst();
        const repository = await db.selectFrom("image_repository").selectAll().executeTakeFirst();
        expect(left).toMatchObject({ username: `:${organization.id}`, enabled: 0, credential_version: 2 });
        expect(repository).toMatchObject({ id: repositoryId, name: repositoryId, state: "deleted" });
        expect(await db.selectFrom("team").selectAll().execute()).toEqual([]);
        expect(await listJobs(db, { kind: collectNamespaceJob.kind })).toMatchObject([
          { payload: { accountId: organization.id } },
        ]);
        const again = { kind: "user", username: "acme", now: 0 } as const;
        await expect(createAccount(db, registry.settings, again)).rejects.toThrow("Username is not available");
      },
    );

    it.skipIf(engine.skip !== undefined)("frees the name at once where there is no repository", async () => {
      await using registry = await openTestRegistry({ engine });
      const { store, settings } = registry;
      const ann = await registry.user("ann");
      const organization = await registry.organization("acme", { admin: [ann] });
      await (await registry.session(ann))("PUT", "/organization/acme/robots/bot", {});
      const clock = { now: () => registry.time.now };

      await store.transaction((transaction) => deleteNamespace(transaction, organization, clock));

      expect(await store.db.selectFrom("account").select("username").execute()).toEqual([{ username: "ann" }]);
      expect(await store.db.selectFrom("retired_namespace").selectAll().execute()).toEqual([]);
      expect(await listJobs(store.db, { kind: collectNamespaceJob.kind })).toEqual([]);
      const again = { kind: "user", username: "acme", now: 0 } as const;
      expect(await createAccount(store.db, settings, again)).toMatchObject({ username: "acme" });
      const twice = store.transaction((transaction) => deleteNamespace(transaction, organization, clock));
      await expect(twice).rejects.toThrow();
    });

    it.skipIf(engine.skip !== undefined)("takes what waits for its repositories from the queue", async () => {
      await using registry = await openTestRegistry({ engine });
      const { db } = registry.store;
      const ann = await registry.user("ann");
      const acme = await registry.organization("acme", { admin: [ann] });
      await putRepository(registry, { namespace: acme, name: "app", creator: ann });
      const call = await registry.session(ann);
      const clock = { now: () => registry.time.now };
      const mirror = {
        external_reference: "registry.example/app",
        sync_start_date: "2026-11-21T00:00:00Z",
        sync_interval: 60,
        robot_username: "acme+bot",
        root_rule: { rule_kind: "tag_glob_csv", rule_value: ["*"] },
      };
      await call("PUT", "/organization/acme/robots/bot", {});
      await call("POST", "/repository/acme/app/build/", { archive_url: "https://example.com/app.tar.gz" });
      await call("POST", "/repository/acme/app/mirror", mirror);
      await call("POST", "/repository/acme/app/mirror/sync-now");
      await call("POST", "/organization/acme/autoprunepolicy/", { method: "number_of_tags", value: 1 });
      const before = await listJobs(db);

      await registry.store.transaction((transaction) => deleteNamespace(transaction, acme, clock));

      expect(before).toHaveLength(3);
      expect(await listJobs(db)).toMatchObject([{ kind: collectNamespaceJob.kind }]);
    });

    it.skipIf(engine.skip !== undefined)(
      "takes a user out of every team, with what they could sign in by",
      async () => {
        await using registry = await openTestRegistry({ engine });
        const { db } = registry.store;
        const [ann, bob] = [await registry.user("ann"), await registry.user("bob")];
        await registry.organization("acme", { admin: [ann, bob] });
        const browser = await registry.session(bob);
        const clock = { now: () => registry.time.now };

        await registry.store.transaction((transaction) => deleteNamespace(transaction, bob, clock));

        const members = await db.selectFrom("team_member").select("account_id").execute();
        expect(members).toEqual([{ account_id: ann.id }]);
        expect((await browser("GET", "/organization/acme/prototypes")).status).toBe(401);
        expect((await db.selectFrom("session").selectAll().execute()).length).toBe(0);
      },
    );
  },
);
