import { ScanError } from "@plimsoll/core";
import { UpstreamLimited } from "@plimsoll/registry/ports/upstreams";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { fakeUpstream } from "../mirrors/fixtures/fake-upstream.ts";
import { openDiscoveryWorld } from "./fixtures/discovery-world.ts";

const hour = 3_600_000;

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "discoverRepositories on $title",
  ({ engine }) => {
    const open = async (given: object = {}) => {
      const upstream = fakeUpstream();
      upstream.tags.set("v1", upstream.image(["base", "one"])).set("old", upstream.image(["base", "old"]));
      upstream.repositories = ["library/debian", "library/tmp-1", "library/deep/er", "other/app"];
      return openDiscoveryWorld(engine, upstream, given);
    };

    it.skipIf(engine.skip !== undefined)("makes mirrors of what the rule names, and copies their tags", async () => {
      const rule = { repository_rule: ["*", "!tmp-*"], tag_rule: ["v*"], visibility: "public" };
      await using world = await open({ external_registry: "registry.example/library", ...rule });

      await world.round();
      const repository = await world.call("GET", "/repository/acme/deep/er");
      const mirror = await world.call("GET", "/repository/acme/deep/er/mirror");

      expect(await world.discovered()).toEqual({ "library/debian": "mirrored", "library/deep/er": "mirrored" });
      expect(repository.body).toMatchObject({ state: "MIRROR", is_public: true });
      expect(mirror.body).toMatchObject({
        ...{ external_reference: "registry.example/library/deep/er", sync_status: "SUCCESS", is_enabled: true },
        ...{ robot_username: "acme+bot", root_rule: { rule_value: ["v*"] }, sync_interval: 7200 },
      });
      expect(await world.tags("debian")).toEqual(["v1"]);
      expect(await world.status()).toMatchObject({ discovery_status: "SUCCESS", discovery_message: "" });
      const log = await world.registry.usageLog();
      expect(log.filter(({ kind }) => kind === "create_repo")).toHaveLength(2);
    });

    it.skipIf(engine.skip !== undefined)(
      "keeps repositories that are gone from the catalog, disables their mirrors, and enables them when they are back",
      async () => {
        await using world = await open({ repository_rule: ["library/debian"] });
        const isEnabled = async () =>
          (await world.call("GET", "/repository/acme/library/debian/mirror")).body.is_enabled as boolean;
        const readAgain = async (repositories: readonly string[]) => {
          world.upstream.repositories = repositories;
          world.registry.time.now += 2 * hour;
          await world.round();
          return [(await world.discovered())["library/debian"], await isEnabled()];
        };
        await world.round();

        expect(await readAgain(["other/app"])).toEqual(["gone", false]);
        expect(await world.tags("library/debian")).toEqual(["old", "v1"]);
        expect(await readAgain(["library/debian"])).toEqual(["mirrored", true]);
      },
    );

    it.skipIf(engine.skip !== undefined)(
      "lets mirrors follow a changed rule, and leaves what is not its own",
      async () => {
        await using world = await open({ repository_rule: ["library/debian"] });
        const { call } = world;
        await world.round();
        await call("POST", "/repository", {
          ...{ namespace: "acme", repository: "other/app", visibility: "private", description: "mine" },
        });
        await call("PUT", "/organization/acme/mirror", {
          ...{ repository_rule: ["library/debian", "other/*"], tag_rule: ["old"], sync_interval: 3600 },
          ...{ external_registry_username: "ada", external_registry_password: "secret" },
        });
        world.upstream.repositories = ["library/debian", "other/app", "other/No", "other/.x"];

        await world.round();
        const mirror = await call("GET", "/repository/acme/library/debian/mirror");
        await call("POST", "/repository/acme/library/debian/mirror/sync-now");
        await world.round();

        expect(mirror.body).toMatchObject({
          ...{ external_registry_username: "ada", sync_interval: 3600, root_rule: { rule_value: ["old"] } },
        });
        expect(await world.tags("library/debian")).toEqual(["old"]);
        expect(await world.discovered()).toEqual({
          "library/debian": "mirrored",
          "other/app": "the organization has another repository of this name, which is not of this mirror",
          "other/No": "no repository can have this name here",
          "other/.x": "no repository can have this name here",
        });
        expect((await call("GET", "/repository/acme/other/app")).body).toMatchObject({ state: "NORMAL" });
      },
    );

    it.skipIf(engine.skip !== undefined)("says why the catalog cannot be read, and reads it again sooner", async () => {
      await using world = await open();
      await world.round();
      const before = await world.discovered();
      world.upstream.repositories = new ScanError("not_found", "the registry has no catalog");
      world.registry.time.now += 2 * hour;

      await world.round();

      expect(await world.status()).toMatchObject({
        ...{ discovery_status: "FAIL", discovery_message: "the registry has no catalog" },
      });
      expect(await world.discovered()).toEqual(before);
      world.upstream.repositories = [];
      world.registry.time.now += hour;
      await world.round();
      expect(await world.status()).toMatchObject({ discovery_status: "SUCCESS" });
      expect(new Set(Object.values(await world.discovered()))).toEqual(new Set(["gone"]));
    });

    it.skipIf(engine.skip !== undefined).each([
      { retryAfterSeconds: undefined, hours: 1 },
      { retryAfterSeconds: 7200, hours: 2 },
      { retryAfterSeconds: 1e15, hours: 24 },
    ])(
      "waits as long as the registry says, at most a day: $retryAfterSeconds",
      async ({ retryAfterSeconds, hours }) => {
        await using world = await open();
        const { db } = world.registry.store;
        const state = async () =>
          (await db.selectFrom("organization_mirror").select("state").executeTakeFirstOrThrow()).state;
        world.upstream.repositories = new UpstreamLimited("limited", { retryAfterSeconds });
        await world.round();
        world.upstream.repositories = [];

        world.registry.time.now += hours * hour - 1000;
        await world.round();
        const early = await state();
        world.registry.time.now += 1000;
        await world.round();

        expect([early, await state()]).toEqual(["FAIL", "SUCCESS"]);
      },
    );

    it.skipIf(engine.skip !== undefined)(
      "stops when its configuration is deleted, until which its robot cannot be deleted",
      async () => {
        await using world = await open();
        const { call } = world;
        const isEnabled = async () =>
          (await call("GET", "/repository/acme/other/app/mirror")).body.is_enabled as boolean;
        await world.round();

        const used = await call("DELETE", "/organization/acme/robots/bot");
        await call("PUT", "/organization/acme/mirror", { is_enabled: false });
        const whileOff = [await isEnabled(), (await call("POST", "/organization/acme/mirror/discover")).status];
        world.upstream.repositories = ["new"];
        world.registry.time.now += 2 * hour;
        await world.round();
        await call("PUT", "/organization/acme/mirror", { is_enabled: true });
        const afterwards = await isEnabled();
        await call("DELETE", "/organization/acme/mirror");

        expect(used).toMatchObject({ status: 400, body: { detail: "Robot is being used by a mirror" } });
        expect([...whileOff, afterwards]).toEqual([false, 400, true]);
        expect((await call("GET", "/organization/acme/mirror")).status).toBe(404);
        expect((await call("GET", "/repository/acme/new")).status).toBe(404);
        expect((await call("GET", "/repository/acme/other/app/mirror")).status).toBe(200);
      },
    );
  },
);
