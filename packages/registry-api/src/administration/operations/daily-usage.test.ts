import { anonymous } from "@plimsoll/registry/access/principal";
import type { AccountRow, ImageRepository } from "@plimsoll/registry/access/queries";
import { countActions, keepSizes } from "@plimsoll/registry/repositories/count-actions";
import { writeUsageLog } from "@plimsoll/registry/store/usage-log";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry, type TestRegistry } from "../../fixtures/test-registry.ts";
import { putRepository } from "../../fixtures/test-repositories.ts";

const day = 86_400_000;
const { signal } = new AbortController();

const keep = ({ store, time }: TestRegistry) => keepSizes(store.db, { now: time.now, signal });

async function grow({ store }: TestRegistry, { id }: ImageRepository, bytes: number): Promise<void> {
  await store.db.updateTable("image_repository").set({ size_bytes: bytes }).where("id", "=", id).execute();
}

async function pull({ store, time }: TestRegistry, repository: ImageRepository): Promise<void> {
  const entry = { kind: "pull_repo", metadata: {}, principal: anonymous, at: time.now } as const;
  await writeUsageLog(store.db, { ...entry, namespaceId: repository.namespace_id, repositoryId: repository.id });
}

const ask = async (registry: TestRegistry, account: AccountRow, path: string) => {
  const { status, body } = await (await registry.session(account))("GET", path);
  expect(status).toBe(200);
  return body as Usage;
};

interface Usage {
  readonly days: readonly { readonly day: string; readonly size_bytes: number; readonly pulls: number | null }[];
  readonly repositories: readonly { readonly repository: string }[];
}

const asRows = ({ days }: Usage) => days.map((each) => [each.day, each.size_bytes, each.pulls]);

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "the usage of repositories by day on $title",
  ({ engine }) => {
    const test = (title: string, run: (registry: TestRegistry) => Promise<void>) =>
      it.skipIf(engine.skip !== undefined)(title, async () => {
        await using registry = await openTestRegistry({ engine });
        registry.time.now = Date.parse("2026-11-01T12:00:00Z");
        await run(registry);
      });

    test("has the size at the end of each day, the present one today, and pulls of the days that are over", async (registry) => {
      const { time, store } = registry;
      const alice = await registry.user("alice");
      const app = await putRepository(registry, { namespace: alice, name: "app" });
      const base = await putRepository(registry, { namespace: alice, name: "base" });
      expect(asRows(await ask(registry, alice, "/user/usage"))).toEqual([["2026-11-01", 0, null]]);

      await grow(registry, app, 100);
      await keep(registry);
      await grow(registry, app, 200);
      await keep(registry);
      await pull(registry, app);
      time.now += 2 * day;
      await grow(registry, base, 1000);
      for (let hours = 0; hours < 3; hours++) await keep(registry);
      await countActions(store.db, { now: time.now, signal });
      await grow(registry, base, 1001);

      const usage = await ask(registry, alice, "/user/usage?days=5");
      expect(asRows(usage)).toEqual([
        ["2026-11-01", 200, 1],
        ["2026-11-02", 200, 0],
        ["2026-11-03", 1201, null],
      ]);
      expect(usage.repositories).toEqual([
        { repository: "alice/base", size_bytes: 1001, sizes: [0, 0, 1001], pulls: [0, 0, null] },
        { repository: "alice/app", size_bytes: 200, sizes: [200, 200, 200], pulls: [1, 0, null] },
      ]);
      expect(asRows(await ask(registry, alice, "/user/usage?days=2"))).toEqual([
        ["2026-11-02", 200, 0],
        ["2026-11-03", 1201, null],
      ]);
      expect((await store.db.selectFrom("daily_size").select("day").execute()).length).toBe(2);
    });

    test("keeps a year, and the size that held when it began", async (registry) => {
      const { time, store } = registry;
      const alice = await registry.user("alice");
      const app = await putRepository(registry, { namespace: alice, name: "app" });
      for (const bytes of [1, 2, 3, 4]) {
        await grow(registry, app, bytes);
        await keep(registry);
        time.now += 300 * day;
      }

      const stored = await store.db.selectFrom("daily_size").select("size_bytes").orderBy("day").execute();
      expect(stored.map((each) => Number(each.size_bytes))).toEqual([2, 3, 4]);
      time.now -= 300 * day;
      const { days } = await ask(registry, alice, "/user/usage?days=366");
      expect([days.length, days[0]?.size_bytes, days[0]?.pulls, days.at(-1)?.size_bytes]).toEqual([366, 2, null, 4]);
    });

    test("leaves out what the caller may not read; superusers get the sums of all, and no names", async (registry) => {
      const [alice, mallory] = [await registry.user("alice"), await registry.user("mallory")];
      const acme = await registry.organization("acme", { member: [mallory], admin: [alice] });
      const secret = await putRepository(registry, { namespace: acme, name: "secret", visibility: "private" });
      const open = await putRepository(registry, { namespace: acme, name: "open", visibility: "public" });
      await grow(registry, secret, 70);
      await grow(registry, open, 5);
      const root = await registry.user("root");
      const namesOf = async (account: AccountRow, path: string) => {
        const { days, repositories } = await ask(registry, account, path);
        return [days.at(-1)?.size_bytes, ...repositories.map(({ repository }) => repository)];
      };

      expect(await namesOf(alice, "/organization/acme/usage")).toEqual([75, "acme/secret", "acme/open"]);
      expect(await namesOf(mallory, "/organization/acme/usage")).toEqual([5, "acme/open"]);
      expect(await namesOf(root, "/superuser/usage")).toEqual([75, "acme/open"]);
    });
  },
);
