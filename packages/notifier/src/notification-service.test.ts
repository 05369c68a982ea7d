import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { vulnerabilityOf } from "./fixtures/fake-sources.ts";
import { openNotifierStore } from "./fixtures/notifier-store.ts";
import { createNotificationService } from "./notification-service.ts";
import { expireSets, insertSet, putSetState } from "./store/notification-sets.ts";
import type { NotifierStore } from "./store/tables.ts";
import { summarize } from "./values/notification.ts";

const setId = "1b4d6a54-8a0b-4d7e-8f43-2f0d2b6f9c11";
const otherId = "2c4d6a54-8a0b-4d7e-8f43-2f0d2b6f9c11";
const operation = { ref: "op1", updater: "feed", date: "2026-01-01T00:00:00Z" };

function putSet(store: NotifierStore, id: string, count: number): Promise<number> {
  const vulnerability = summarize(vulnerabilityOf("A", "expat", { links: "https://example.org/A" }));
  const notifications = Array.from({ length: count }, (_, index) => ({
    manifest: `sha256:${index}`,
    reason: "added" as const,
    vulnerability,
  }));
  return store.transaction((transaction) =>
    insertSet(transaction, { id, subscriber: "transport", operation, notifications, createdAt: 1_000 }),
  );
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "createNotificationService on $title",
  ({ engine }) => {
    const test = it.skipIf(engine.skip !== undefined);

    test("returns a set in pages, in order, each notification once", async () => {
      await using database = await engine.create();
      await using store = await openNotifierStore(database.location);
      await putSet(store, setId, 2_500);
      await putSet(store, otherId, 3);
      const service = createNotificationService(store);
      const sizes: number[] = [];
      const manifests: string[] = [];
      const ids = new Set<string>();

      for (let next: string | undefined, more = true; more; more = next !== undefined) {
        const { page, notifications } = await service.getPage(setId, {
          pageSize: 1_000,
          next,
        });
        sizes.push(page.size);
        for (const { id, manifest } of notifications) {
          manifests.push(manifest);
          ids.add(id);
        }
        next = page.next;
      }

      expect(sizes).toEqual([1_000, 1_000, 500]);
      expect(manifests).toEqual(Array.from({ length: 2_500 }, (_, index) => `sha256:${index}`));
      expect(ids.size).toBe(2_500);
    });

    test("has no next page after an exactly full one; a page has 500 by default and at most 5000", async () => {
      await using database = await engine.create();
      await using store = await openNotifierStore(database.location);
      await putSet(store, setId, 5_001);
      await putSet(store, otherId, 500);
      const service = createNotificationService(store);

      expect((await service.getPage(otherId)).page).toEqual({ size: 500 });
      expect((await service.getPage(setId)).page).toEqual({ size: 500, next: expect.stringMatching(/^500\./) });
      expect((await service.getPage(setId, { pageSize: 1_000_000 })).page).toEqual({
        size: 5_000,
        next: expect.stringMatching(/^5000\./),
      });
    });

    test("rejects the token of another set, and of one that was deleted meanwhile", async () => {
      await using database = await engine.create();
      await using store = await openNotifierStore(database.location);
      await putSet(store, setId, 10);
      await putSet(store, otherId, 10);
      const service = createNotificationService(store);
      const { next = "" } = (await service.getPage(setId, { pageSize: 2 })).page;

      await expect(service.getPage(otherId, { next })).rejects.toMatchObject({ code: "unknown_page_token" });
      expect((await service.getPage(setId, { next })).page).toEqual({ size: 8 });
      await service.deleteSet(setId);
      await expect(service.getPage(setId, { next })).rejects.toMatchObject({ code: "unknown_page_token" });
    });

    test("returns a notification in the form of the contract", async () => {
      await using database = await engine.create();
      await using store = await openNotifierStore(database.location);
      await putSet(store, setId, 1);

      const { notifications } = await createNotificationService(store).getPage(setId);

      expect(notifications).toEqual([
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          manifest: "sha256:0",
          reason: "added",
          vulnerability: {
            name: "A",
            links: "https://example.org/A",
            normalized_severity: "Medium",
            package: { id: "0", name: "expat", version: "", kind: "SOURCE" },
          },
        },
      ]);
    });

    test("removes a set with all its notifications; a missing set is empty", async () => {
      await using database = await engine.create();
      await using store = await openNotifierStore(database.location);
      await putSet(store, setId, 10);
      const service = createNotificationService(store);

      await service.deleteSet(setId);
      await service.deleteSet(setId);

      expect(await service.getPage(setId)).toEqual({ page: { size: 0 }, notifications: [] });
      for (const table of ["notification", "notified_vulnerability", "notification_set"] as const) {
        expect(await store.db.selectFrom(table).selectAll().execute()).toEqual([]);
      }
    });

    test("removes sets with all their notifications some time after the end of their delivery", async () => {
      await using database = await engine.create();
      await using store = await openNotifierStore(database.location);
      const ids = ["delivered", "failed", "created", "recent"].map((_, index) => setId.replace("1", `${index}`));
      const [delivered = "", failed = "", , recent = ""] = ids;
      for (const id of ids) await putSet(store, id, 2);
      await putSetState(store.db, delivered, { state: "delivered", changed_at: 2_000, last_error: null });
      await putSetState(store.db, failed, { state: "failed", changed_at: 2_000, last_error: "no answer" });
      await putSetState(store.db, recent, { state: "delivered", changed_at: 9_000, last_error: null });

      const removed = await expireSets(store, "transport", 5_000);

      expect(removed).toBe(2);
      const left = await store.db.selectFrom("notification").select("set_id").distinct().orderBy("set_id").execute();
      expect(left.map(({ set_id }) => set_id)).toEqual(ids.slice(2));
    });

    test.each([
      ["not-a-uuid", {}, "malformed_set_id"],
      ["", {}, "malformed_set_id"],
      [setId, { pageSize: 0 }, "malformed_page_size"],
      [setId, { pageSize: -1 }, "malformed_page_size"],
      [setId, { pageSize: 1.5 }, "malformed_page_size"],
      [setId, { next: "" }, "malformed_page_token"],
      [setId, { next: "0" }, "malformed_page_token"],
      [setId, { next: "1; drop table notification" }, "malformed_page_token"],
      [setId, { next: "99999999999999999999" }, "malformed_page_token"],
      [setId, { next: "1" }, "malformed_page_token"],
      [setId, { next: "1.0b0e0000-0000-4000-8000-000000000001" }, "unknown_page_token"],
    ])("refuses page %s %j", async (id, options, code) => {
      await using database = await engine.create();
      await using store = await openNotifierStore(database.location);

      await expect(createNotificationService(store).getPage(id, options)).rejects.toMatchObject({ code });
    });
  },
);
