import { readFileSync } from "node:fs";
import { openStore, type Store } from "@plimsoll/store";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { findAccount } from "../../access/queries/accounts.ts";
import { contentOf, longContent } from "../../content/queries/manifest-content.ts";
import type { RegistryTables } from "../tables/all.ts";
import { registryMigrations } from "./all.ts";

const accountOfThen = sql`insert into account values ('1', 'user', 'alice', 'alice@example.com', 'hash', 1, 1, 1, 0, null, 0,
  '{}', 3, 4000, 5, null)`;

describe("registryMigrations", () => {
  it("are those of order.txt, to which new ones are appended: a database that has a later one takes none before it", () => {
    const known = readFileSync(new URL("./order.txt", import.meta.url), "utf8")
      .trimEnd()
      .split("\n");

    const names = registryMigrations.migrations.map(({ name }) => name);

    expect(names).toEqual(known);
    expect(names).toEqual(names.toSorted());
  });
});

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "registryMigrations on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("make tables that can be read", async () => {
      await using database = await engine.create();
      await using store = await openStore<RegistryTables>(database.location, { migrations: [registryMigrations] });

      const rows = await store.db.selectFrom("quota").selectAll().execute();

      expect(rows).toEqual([]);
    });

    if (engine.shared) {
      it.skipIf(engine.skip !== undefined)(
        "keep accounts and their sessions that an older release stored",
        async () => {
          await using database = await engine.create();
          const older = { ...registryMigrations, migrations: registryMigrations.migrations.slice(0, 4) };
          await using before = await openStore<RegistryTables>(database.location, { migrations: [older] });
          await accountOfThen.execute(before.db);
          await sql`insert into session values ('of alice', '1', 1, '', 0, 0, 9), ('anonymous', null, 0, '', 0, 0, 9)`.execute(
            before.db,
          );

          await using store = await openStore<RegistryTables>(database.location, { migrations: [registryMigrations] });

          const alice = await findAccount(store.db, "alice", "user");
          expect(alice).toMatchObject({ id: "1", password_hash: "hash", created_at: 5, last_accessed_at: null });
          expect(alice).not.toHaveProperty("locked_until");
          expect(await store.db.selectFrom("session").select("id_hash").execute()).toEqual([{ id_hash: "of alice" }]);
        },
      );

      it.skipIf(engine.skip !== undefined)("count manifests that were pushed before manifests counted", async () => {
        await using database = await engine.create();
        const migrations = registryMigrations.migrations.filter(({ name }) => name < "0056");
        await using before = await openStore<RegistryTables>(database.location, {
          migrations: [{ ...registryMigrations, migrations }],
        });
        await enterManifests(before);
        const label = { manifest_id: "image", key: "ä", value: "12345", source_type: "manifest" } as const;
        await before.db
          .insertInto("manifest_label")
          .values({ ...label, id: "label", media_type: "text/plain", created_at: 0 })
          .execute();

        await using store = await openStore<RegistryTables>(database.location, { migrations: [registryMigrations] });

        expect(await store.db.selectFrom("namespace_usage").selectAll().execute()).toEqual([
          { namespace_id: "alice", size_bytes: 0, metadata_bytes: 13 },
        ]);
      });

      it.skipIf(engine.skip !== undefined)("move long contents of manifests out of their rows", async () => {
        await using database = await engine.create();
        const migrations = registryMigrations.migrations.filter(({ name }) => name < "0057");
        await using before = await openStore<RegistryTables>(database.location, {
          migrations: [{ ...registryMigrations, migrations }],
        });
        await enterManifests(before);
        const content = JSON.stringify({ text: "aé€😀".repeat(40_000) });
        const long = { content, size_bytes: Buffer.byteLength(content) };
        await before.db.updateTable("image_manifest").set(long).where("id", "=", "index").execute();

        await using store = await openStore<RegistryTables>(database.location, { migrations: [registryMigrations] });

        const rows = await store.db.selectFrom("image_manifest").select(["id", "content"]).orderBy("id").execute();
        const [image, index] = await Promise.all(rows.map((row) => contentOf(store.db, row)));
        const sent = longContent(store.db, {
          id: "index",
          lengthBytes: long.size_bytes,
          gone: () => new Error("gone"),
        });
        const pieces: Uint8Array[] = [];
        for await (const piece of sent.from(0)) pieces.push(Uint8Array.from(piece));
        expect(image).toBe("{}");
        expect(index === content).toBe(true);
        expect(Buffer.concat(pieces).toString() === content).toBe(true);
      });

      it.skipIf(engine.skip !== undefined)("keep the notifications of repositories, and their deliveries", async () => {
        await using database = await engine.create();
        const migrations = registryMigrations.migrations.filter(({ name }) => name < "0062");
        await using before = await openStore<RegistryTables>(database.location, {
          migrations: [{ ...registryMigrations, migrations }],
        });
        await enterManifests(before);
        await sql`insert into repository_notification (id, repository_id, title, event, method, config, event_config, failures,
          created_at, secret_sealed) values ('hook', 'app', 'Pushes', 'repo_push', 'webhook', '{}', '{}', 2, 7, 'sealed')`.execute(
          before.db,
        );
        await sql`insert into repository_delivery values ('sent', 'hook', 0, '{}', 'delivered', 1, '', 8, 8)`.execute(
          before.db,
        );

        await using store = await openStore<RegistryTables>(database.location, { migrations: [registryMigrations] });

        const { db } = store;
        const hook = {
          id: "hook",
          repository_id: "app",
          namespace_id: null,
          title: "Pushes",
          failures: 2,
          secret_sealed: "sealed",
        };
        expect(await db.selectFrom("event_notification").selectAll().execute()).toMatchObject([hook]);
        expect(await db.selectFrom("event_delivery").select(["id", "notification_id"]).execute()).toEqual([
          { id: "sent", notification_id: "hook" },
        ]);
        await db.deleteFrom("image_repository").execute();
        expect(await db.selectFrom("event_notification").selectAll().execute()).toEqual([]);
        expect(await db.selectFrom("event_delivery").selectAll().execute()).toEqual([]);
      });

      it.skipIf(engine.skip !== undefined)("queue images that were pushed while there was no scanner", async () => {
        await using database = await engine.create();
        const migrations = registryMigrations.migrations.filter(({ name }) => name < "0006");
        await using before = await openStore<RegistryTables>(database.location, {
          migrations: [{ ...registryMigrations, migrations }],
        });
        await enterManifests(before);
        const scan = { reason: null, attempts: 1, index_state: "one", changed_at: 9 } as const;
        await before.db
          .insertInto("manifest_scan")
          .values({ ...scan, manifest_id: "read", state: "scanned" })
          .execute();

        await using store = await openStore<RegistryTables>(database.location, { migrations: [registryMigrations] });

        const scans = store.db.selectFrom("manifest_scan").select(["manifest_id", "state", "changed_at"]);
        expect(await scans.orderBy("manifest_id").execute()).toEqual([
          { manifest_id: "image", state: "queued", changed_at: 5 },
          { manifest_id: "read", state: "scanned", changed_at: 9 },
        ]);
      });

      it.skipIf(engine.skip !== undefined)(
        "count the blobs that repositories have, with and without manifests",
        async () => {
          await using database = await engine.create();
          const migrations = registryMigrations.migrations.filter(({ name }) => name < "0007");
          await using before = await openStore<RegistryTables>(database.location, {
            migrations: [{ ...registryMigrations, migrations }],
          });
          await enterManifests(before);
          const blob = { digest: "loose", size_bytes: 7, created_at: 0 };
          await before.db.insertInto("blob").values(blob).execute();
          const link = { repository_id: "app", digest: "loose", linked_at: 0, manifests: 0 };
          await before.db.insertInto("repository_blob").values(link).execute();

          await using store = await openStore<RegistryTables>(database.location, { migrations: [registryMigrations] });

          const { db } = store;
          const sizes = await db.selectFrom("image_repository").select("size_bytes").execute();
          const usage = await db.selectFrom("namespace_usage").selectAll().execute();
          expect([sizes, usage]).toEqual([
            [{ size_bytes: 7 }],
            [{ namespace_id: "alice", size_bytes: 7, metadata_bytes: 6 }],
          ]);
        },
      );
    }
  },
);

/** Enters the manifests of two images and a list of them. */
async function enterManifests({ db }: Store<RegistryTables>): Promise<void> {
  await db
    .insertInto("account")
    .values({
      id: "alice",
      kind: "user",
      username: "alice",
      email: null,
      password_hash: null,
      verified: 1,
      enabled: 1,
      credential_version: 0,
      invoice_email: 0,
      invoice_email_address: null,
      tag_expiration_s: 0,
      profile: "{}",
      created_at: 0,
      last_accessed_at: null,
    })
    .execute();
  const repository = { id: "app", namespace_id: "alice", name: "app", kind: "image", visibility: "public" } as const;
  await db
    .insertInto("image_repository")
    .values({ ...repository, state: "NORMAL", description: "", badge_token: "", size_bytes: 0, created_at: 0 })
    .execute();
  const manifest = { repository_id: "app", media_type: "", content: "{}", size_bytes: 2, created_at: 5, kept_until: 5 };
  const rows = [
    { id: "image", digest: "image", is_index: 0 },
    { id: "read", digest: "read", is_index: 0 },
    { id: "index", digest: "index", is_index: 1 },
  ] as const;
  await db
    .insertInto("image_manifest")
    .values(rows.map((row) => ({ ...manifest, ...row })))
    .execute();
}
