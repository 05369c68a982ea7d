import { notesOf } from "@plimsoll/http";
import { emitEvent } from "@plimsoll/registry/events/emit-event";
import type { Ports } from "@plimsoll/registry/ports";
import { defaultRegistrySettings } from "@plimsoll/registry/settings";
import { createOutgoing } from "@plimsoll/registry-adapters/outgoing";
import { enqueueJob, job, listJobs } from "@plimsoll/store";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "./fixtures/test-registry.ts";
import { putRepository } from "./fixtures/test-repositories.ts";
import { registryOperations } from "./operations.ts";
import { createRegistry } from "./registry.ts";

/** Features that are on by default, each with a kind of its jobs. */
const servedFeatures = {
  autoPrune: "registry.prune-namespace",
  logExport: "registry.export-logs",
  mirroring: "registry.sync-mirror",
  proxyCache: "registry.cache-image",
  repositoryNotifications: "registry.deliver-notification",
} as const;

const names = Object.keys(servedFeatures) as (keyof typeof servedFeatures)[];
const off = Object.fromEntries(names.map((name) => [name, false]));
const app = "/repository/acme/app";
const acme = "/organization/acme";
const mirror = {
  external_reference: "registry.example/library/busybox",
  sync_start_date: "2026-11-21T00:00:00Z",
  sync_interval: 86_400,
  robot_username: "acme+bot",
  root_rule: { rule_kind: "tag_glob_csv", rule_value: ["1.*"] },
};
const webhook = {
  event: "repo_push",
  method: "webhook",
  config: { url: "https://example.com/hook" },
  eventConfig: {},
};
const policy = { method: "number_of_tags", value: 10 };

/** What would put a job in the queue, or write what nothing acts on. */
const refused = [
  ["autoPrune", "POST", `${acme}/autoprunepolicy/`, policy],
  ["autoPrune", "POST", `${app}/autoprunepolicy/`, policy],
  ["autoPrune", "POST", "/user/autoprunepolicy/", policy],
  ["logExport", "POST", "/user/exportlogs", { callback_email: "ada@example.com" }],
  ["logExport", "POST", `${acme}/exportlogs`, { callback_email: "ada@example.com" }],
  ["logExport", "POST", `${app}/exportlogs`, { callback_email: "ada@example.com" }],
  ["mirroring", "POST", `${app}/mirror`, mirror],
  ["mirroring", "POST", `${app}/mirror/sync-now`, undefined],
  ["mirroring", "PUT", `${app}/changestate`, { state: "MIRROR" }],
  ["proxyCache", "POST", `${acme}/proxycache`, { upstream_registry: "docker.io" }],
  ["repositoryNotifications", "POST", `${app}/notification/`, webhook],
  ["repositoryNotifications", "POST", `${app}/notification/some/test`, undefined],
  ["repositoryNotifications", "POST", `${acme}/notifications`, { ...webhook, event: "quota_error" }],
  ["repositoryNotifications", "POST", "/user/namespacenotifications/some/test", undefined],
] as const;

describe("features with jobs", () => {
  it("are on by default, and /config shows when they are off", async () => {
    await using registry = await openTestRegistry({ features: off });

    const { features } = (await registry.app.inject({ url: "/config" })).json();

    for (const name of names) expect(defaultRegistrySettings.features, name).toMatchObject({ [name]: true });
    expect(features).toMatchObject({
      AUTO_PRUNE: false,
      LOG_EXPORT: false,
      PROXY_CACHE: false,
      REPO_MIRROR: false,
      REPOSITORY_NOTIFICATIONS: false,
    });
  });

  it("are not in discovery while they are off", async () => {
    await using registry = await openTestRegistry({ features: off });

    const { paths } = (await registry.app.inject({ url: "/api/v1/discovery?internal=true" })).json();

    const offered = Object.keys(paths).join("\n");
    expect(offered).toContain("/api/v1/organization/{orgname}/logs");
    expect(offered).not.toMatch(/autoprune|exportlogs|\/mirror|proxycache|\/notification\//);
  });

  for (const engine of testEngines) {
    it.skipIf(engine.skip)(
      `refuse to queue what no worker takes, and say which setting turns them on, on ${engineTitle(engine)}`,
      async () => {
        await using registry = await openTestRegistry({ engine, features: off });
        const ada = await registry.user("ada");
        await registry.organization("acme", { admin: [ada] });
        const call = await registry.session(ada);
        await call("POST", "/repository", {
          namespace: "acme",
          repository: "app",
          visibility: "private",
          description: "",
        });
        await call("PUT", `${acme}/robots/bot`);

        for (const [feature, method, path, body] of refused) {
          const answer = await call(method, path, body);

          expect(answer, path).toMatchObject({ status: 404, body: { error_type: "not_found" } });
          expect(answer.body.detail, path).toBe(
            `Not Found: the feature is off in this registry. The setting features.${feature} turns it on`,
          );
        }
        expect(await listJobs(registry.store.db)).toEqual([]);
      },
    );

    it.skipIf(engine.skip)(`withdraw the jobs that an earlier version queued, on ${engineTitle(engine)}`, async () => {
      await using registry = await openTestRegistry({ engine, features: off });
      const { store, settings } = registry;
      const clock = { now: () => registry.time.now };
      for (const kind of [
        servedFeatures.logExport,
        servedFeatures.mirroring,
        servedFeatures.proxyCache,
        servedFeatures.repositoryNotifications,
        "registry.mine",
      ])
        await enqueueJob(store.db, job({ kind, handle: async () => {} }).of(null), clock);
      const ports = { clock, outgoing: createOutgoing({ check: async () => {}, send: async () => new Response() }) };
      const opened = createRegistry({
        ...{ store, settings, ports, key: new Uint8Array(32), blobs: {} as never, sleep: async () => {} },
      });

      await opened.schedule();

      const kinds = (await listJobs(store.db)).map(({ kind }) => kind);
      expect(kinds).toContain("registry.mine");
      expect(kinds).not.toContain(servedFeatures.logExport);
      expect(kinds).not.toContain(servedFeatures.mirroring);
      expect(kinds).not.toContain(servedFeatures.proxyCache);
      expect(kinds).not.toContain(servedFeatures.repositoryNotifications);
    });
  }
});

describe("a registry that reaches no other system", () => {
  const parts = { key: new Uint8Array(32), blobs: {} as never, sleep: async () => {} };

  /** The kinds of jobs of a registry with some ports, and those that are scheduled. */
  async function kindsWith(ports: Partial<Ports>) {
    await using registry = await openTestRegistry();
    const features = { ...registry.settings.features, builds: true, securityScanner: true };
    const { jobs, schedules } = createRegistry({
      ...{ ...parts, store: registry.store, ports, settings: { ...registry.settings, features } },
    });
    return [...jobs.map(({ kind }) => kind), ...schedules.map(({ kind }) => kind)];
  }

  it("takes no job that another node may be able to do", async () => {
    const needsPort = /\.(?:send-mail|sync-teams|check-directory-users|run-build|scan-manifest|rescan)$/;
    const clock = { now: () => 0 };

    expect((await kindsWith({ clock })).filter((kind) => needsPort.test(kind))).toEqual([]);
    expect(await kindsWith({ clock, mailer: { send: async () => {} } })).toContain("registry.send-mail");
  });
});

describe("operations of a feature that is off", () => {
  const ofFeatures = registryOperations.filter(({ feature, access }) => feature ?? access.feature);
  const allOff = Object.fromEntries(Object.keys(defaultRegistrySettings.features).map((name) => [name, false]));

  it("are refused under their own id, and the answer names a setting", async () => {
    await using registry = await openTestRegistry({ features: { ...allOff, anonymousAccess: true } });
    const noted: unknown[] = [];
    registry.app.addHook("onResponse", async ({ raw }) => void noted.push(notesOf(raw).operation));

    for (const { id, method, path, feature, access } of ofFeatures) {
      const url = `/api/v1${path.replace("{repository}", "acme/app").replace(/\{\w+\}/g, "some")}`;
      const answer = await registry.app.inject({ method, url });

      expect([answer.statusCode, answer.json().detail], id).toEqual([
        404,
        `Not Found: the feature is off in this registry. The setting features.${feature ?? access.feature} turns it on`,
      ]);
    }
    expect(noted).toEqual(ofFeatures.map(({ id }) => id));
  });

  it("keep their paths: another method there is not an operation of a repository of that name", async () => {
    await using registry = await openTestRegistry({ features: off });

    const answer = await registry.app.inject({ method: "DELETE", url: `/api/v1${app}/mirror` });

    expect([answer.statusCode, answer.json().detail]).toEqual([404, expect.stringContaining("features.mirroring")]);
  });
});

describe("emitEvent", () => {
  it.each([false, true])("queues deliveries only if the feature repositoryNotifications is on: %s", async (isOn) => {
    await using registry = await openTestRegistry({ features: { repositoryNotifications: isOn } });
    const { store, settings, pageAddress } = registry;
    const repository = await putRepository(registry, { namespace: await registry.user("ada"), name: "app" });
    const told = { id: "hook", title: null, event: "repo_push", method: "webhook", config: "{}", event_config: "{}" };
    const row = { ...told, repository_id: repository.id, failures: 0, created_at: 0 } as const;
    await store.db.insertInto("event_notification").values(row).execute();
    const context = { db: store.db, settings, pageAddress, clock: { now: () => registry.time.now } };

    await emitEvent(context, repository, { event: "repo_push", members: { updated_tags: ["latest"] } });

    expect(await listJobs(store.db)).toHaveLength(isOn ? 1 : 0);
  });
});
