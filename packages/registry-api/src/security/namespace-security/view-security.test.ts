import type { ImageRepository } from "@plimsoll/registry/access/queries";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry, type TestRegistry } from "../../fixtures/test-registry.ts";
import { putManifest, putRepository, putTag, type TestManifest } from "../../fixtures/test-repositories.ts";

interface Upgrade {
  readonly critical: number;
  readonly images: number;
  readonly repositories: readonly string[];
}

interface Counts {
  readonly critical: number;
  readonly high?: number;
  readonly isPartial?: boolean;
}

let images = 0;

/** An image that was scanned; without counts they are still to come. */
async function putImage(
  registry: TestRegistry,
  repository: ImageRepository,
  { counts, tag }: { readonly counts?: Counts | undefined; readonly tag?: string },
): Promise<TestManifest> {
  const { db } = registry.store;
  const image = await putManifest(registry, repository, { content: { layers: [{ size: ++images }] } });
  const scan = { state: "scanned", reason: null, attempts: 1, index_state: "one", changed_at: 0 } as const;
  await db
    .insertInto("manifest_scan")
    .values({ manifest_id: image.id, ...scan })
    .execute();
  const none = {
    medium: 0,
    low: 0,
    negligible: 0,
    unknown: 0,
    fixable: 0,
    exploited: 0,
    data_state: "current",
  } as const;
  if (counts !== undefined) {
    const { critical, high = 0, isPartial } = counts;
    const row = { critical, high, is_partial: isPartial ? (1 as const) : (0 as const), ...none };
    await db
      .insertInto("finding_count")
      .values({ manifest_id: image.id, ...row, counted_at: 0, due_at: 0 })
      .execute();
  }
  if (tag !== undefined) await putTag(registry, repository, { name: tag, manifest: image });
  return image;
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "the security of a namespace on $title",
  ({ engine }) => {
    const test = it.skipIf(engine.skip !== undefined);

    test("sums what tags show, and lists the worst images first, page by page", async () => {
      await using registry = await openTestRegistry({ engine });
      const { db } = registry.store;
      const alice = await registry.user("alice");
      const [app, other] = [
        await putRepository(registry, { namespace: alice, name: "app" }),
        await putRepository(registry, { namespace: alice, name: "other" }),
      ];
      const worst = await putImage(registry, app, { counts: { critical: 2, isPartial: true }, tag: "bad" });
      await putTag(registry, app, { name: "also", manifest: worst });
      await putImage(registry, other, { counts: { critical: 0, high: 9 }, tag: "high" });
      await putImage(registry, app, { tag: "waits" });
      await putImage(registry, app, { counts: { critical: 7 } }); // nothing shows it
      const ended = await putImage(registry, app, { counts: { critical: 5 } });
      await putTag(registry, app, { name: "ended", manifest: ended, startAt: 1, endAt: 2 });
      const child = await putImage(registry, app, { counts: { critical: 0, high: 1 } });
      const index = await putManifest(registry, app, { content: { manifests: [] }, isIndex: true });
      await db.insertInto("manifest_child").values({ manifest_id: index.id, child_id: child.id }).execute();
      await putTag(registry, app, { name: "multi", manifest: index });
      const call = await registry.session(alice);

      const { body } = await call("GET", "/user/security?limit=3");
      const second = await call("GET", "/user/security?limit=3&page=2");

      expect(body).toMatchObject({
        severities: { critical: 2, high: 10, fixable: 0 },
        ...{ images: 4, uncounted: 1, partial: 1, page: 1, has_additional: true },
        worst: [
          {
            repository: "alice/app",
            manifest_digest: worst.digest,
            tags: ["also", "bad"],
            severities: { critical: 2, partial: true },
          },
          { repository: "alice/other", tags: ["high"], severities: { high: 9, partial: false } },
          { repository: "alice/app", manifest_digest: child.digest, tags: ["multi"] },
        ],
      });
      expect(second.body).toMatchObject({
        worst: [{ tags: ["waits"], severities: null }],
        page: 2,
        has_additional: false,
      });
    });

    test("is in the list of repositories for the newest tag of each, where that is asked for", async () => {
      await using registry = await openTestRegistry({ engine });
      const alice = await registry.user("alice");
      const named = async (name: string) => putRepository(registry, { namespace: alice, name });
      const [app, signed, multi] = [await named("app"), await named("signed"), await named("multi")];
      await named("empty");
      const old = await putImage(registry, app, { counts: { critical: 7 } });
      await putTag(registry, app, { name: "old", manifest: old, startAt: 1 });
      await putImage(registry, app, { counts: { critical: 0, high: 2 }, tag: "new" });
      const ended = await putImage(registry, app, { counts: { critical: 9 } });
      await putTag(registry, app, { name: "ended", manifest: ended, startAt: registry.time.now + 1, endAt: 2 });
      const image = await putImage(registry, signed, { counts: { critical: 1 } });
      await putTag(registry, signed, { name: "1", manifest: image, startAt: 1 });
      await putImage(registry, signed, { tag: `sha256-${"0".repeat(64)}.sig` });
      const children = [
        await putImage(registry, multi, { counts: { critical: 0, high: 1 } }),
        await putImage(registry, multi, { counts: { critical: 3 } }),
        await putImage(registry, multi, {}),
      ];
      const index = await putManifest(registry, multi, { content: { manifests: [] }, isIndex: true });
      const links = children.map(({ id: child_id }) => ({ manifest_id: index.id, child_id }));
      await registry.store.db.insertInto("manifest_child").values(links).execute();
      await putTag(registry, multi, { name: "multi", manifest: index });
      const call = await registry.session(alice);
      const listed = async (query: string) =>
        (await call("GET", `/repository?namespace=alice${query}`)).body.repositories;

      const found = await listed("&severities=true");

      const byName = Object.fromEntries(found.map((each: { name: string }) => [each.name, each]));
      expect(byName).toMatchObject({
        app: { severities: { critical: 0, high: 2, partial: false } },
        signed: { severities: { critical: 1 } },
        multi: { severities: { critical: 3, partial: true } },
        empty: { severities: null },
      });
      expect((await listed("")).some((each: object) => "severities" in each)).toBe(false);
    });

    test("finds the images that have a vulnerability by any of its names, and says how many may have it besides", async () => {
      await using registry = await openTestRegistry({ engine });
      const alice = await registry.user("alice");
      const app = await putRepository(registry, { namespace: alice, name: "app" });
      const images = [
        await putImage(registry, app, { counts: { critical: 1, isPartial: true }, tag: "1" }),
        await putImage(registry, app, { counts: { critical: 1 }, tag: "2" }),
        await putImage(registry, app, { counts: { critical: 0 }, tag: "3" }),
        await putImage(registry, app, { counts: { critical: 1 } }), // nothing shows it
      ].map(({ id }) => id);
      await putImage(registry, app, { tag: "waits" });
      const named = (name: string, severity: "High" | "Low") =>
        ({ name, severity, has_fix: 1, is_exploited: 0 }) as const;
      const rows = [
        { manifest_id: images[0] ?? "", ...named("cve-2026-1", "Low") },
        { manifest_id: images[1] ?? "", ...named("cve-2026-1", "High") },
        { manifest_id: images[2] ?? "", ...named("cve-2026-10", "High") },
        { manifest_id: images[3] ?? "", ...named("cve-2026-1", "High") },
      ];
      await registry.store.db.insertInto("found_vulnerability").values(rows).execute();
      const call = await registry.session(alice);
      const find = async (query: string) => (await call("GET", `/user/security/images?${query}`)).body;

      const all = await find("vulnerability=CVE-2026-1");
      const pages = [
        await find("vulnerability=cve-2026-1&limit=1"),
        await find("vulnerability=cve-2026-1&limit=1&page=2"),
      ];

      const tagsOf = ({ affected }: { readonly affected: readonly { readonly tags: readonly string[] }[] }) =>
        affected.flatMap(({ tags }) => tags).sort();
      expect(tagsOf(all)).toEqual(["1", "2"]);
      expect(all).toMatchObject({ images: 4, uncounted: 1, partial: 1, has_additional: false });
      expect(all.affected).toContainEqual(
        expect.objectContaining({ repository: "alice/app", severity: "Low", fixable: true, known_exploited: false }),
      );
      expect(pages.flatMap(tagsOf).sort()).toEqual(["1", "2"]);
      expect(pages.map(({ has_additional }) => has_additional)).toEqual([true, false]);
      expect(await find("vulnerability=CVE-2026-2")).toMatchObject({ affected: [], uncounted: 1, partial: 1 });
      expect((await call("GET", "/user/security/images")).status).toBe(400);
    });

    test("shows each caller the repositories that they may read", async () => {
      await using registry = await openTestRegistry({ engine });
      const [admin, member, outsider] = [
        await registry.user("admin"),
        await registry.user("member"),
        await registry.user("outsider"),
      ];
      const asAdmin = await registry.session(admin);
      await asAdmin("POST", "/organization/", { name: "acme", email: "acme@example.com" });
      await asAdmin("PUT", "/organization/acme/team/staff", { role: "member" });
      await asAdmin("PUT", "/organization/acme/team/staff/members/member");
      const acme = await registry.store.db
        .selectFrom("account")
        .selectAll()
        .where("username", "=", "acme")
        .executeTakeFirstOrThrow();
      const parts = { namespace: acme, creator: admin };
      const shared = await putRepository(registry, { ...parts, name: "shared", roles: { read: member } });
      const open = await putRepository(registry, { ...parts, name: "open", visibility: "public" });
      const hidden = await putRepository(registry, { ...parts, name: "hidden" });
      const put = async (repository: ImageRepository, critical: number) => {
        const { id: manifest_id } = await putImage(registry, repository, { counts: { critical }, tag: "1" });
        const row = { manifest_id, name: "cve-1", severity: "Critical", has_fix: 0, is_exploited: 0 } as const;
        await registry.store.db.insertInto("found_vulnerability").values(row).execute();
        const versions = { package_type: "deb", package: "openssl", version: "1", to_version: "2" };
        const removed = { critical, high: 0, exploited: 0 };
        await registry.store.db
          .insertInto("found_upgrade")
          .values({ manifest_id, ...versions, ...removed })
          .execute();
      };
      await put(shared, 1);
      await put(open, 10);
      await put(hidden, 100);
      const seen = async (caller: typeof admin) => {
        const call = await registry.session(caller);
        const all = await call("GET", "/organization/acme/security?upgrades=1");
        const one = await call("GET", "/organization/acme/security/images?vulnerability=CVE-1");
        const namesOf = (images: readonly { readonly repository: string }[] = []) =>
          images.map(({ repository }) => repository);
        return [
          all.status,
          all.body.severities?.critical,
          namesOf(all.body.worst),
          all.body.upgrades?.map(({ critical, images, repositories }: Upgrade) => [critical, images, repositories]),
          one.status,
          namesOf(one.body.affected),
        ];
      };

      const every = ["acme/hidden", "acme/open", "acme/shared"];
      const some = every.slice(1);
      const upgrade = (...[critical, names]: readonly [number, readonly string[]]) => [
        [critical, names.length, expect.arrayContaining([...names])],
      ];
      expect(await seen(admin)).toEqual([200, 111, every, upgrade(111, every), 200, every]);
      expect(await seen(member)).toEqual([200, 11, some, upgrade(11, some), 200, some]);
      expect(await seen(outsider)).toEqual([403, undefined, [], undefined, 403, []]);
    });
  },
);
