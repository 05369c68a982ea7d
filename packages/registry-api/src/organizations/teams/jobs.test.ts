import { syncTeamsJob } from "@plimsoll/registry/organizations/teams/jobs";
import { type Directory, forTeamsOnly } from "@plimsoll/registry/ports/identities";
import { enqueueJob, listJobs, runDueJobs, runNextJob } from "@plimsoll/store";
import { engineTitle, fakeTime, type TestEngine, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../../fixtures/test-registry.ts";

const minute = 60_000;

/** acme with the teams `owners` of ann and `dev` of bob and a robot, and a directory of groups that tests fill. */
async function openAcme(engine?: TestEngine) {
  const groups = new Map<string, readonly string[]>([["dev", ["eve"]]]);
  const asked: string[] = [];
  const directory: Directory = {
    ...forTeamsOnly,
    service: "ldap",
    async listGroup(group) {
      asked.push(group);
      if (group === "broken") throw new Error("the directory is down");
      return groups.get(group);
    },
  };
  const registry = await openTestRegistry({ ports: { directory }, engine });
  const { store, settings } = registry;
  const ann = await registry.user("ann");
  await registry.user("bob");
  await registry.organization("acme", { admin: [ann] });
  const owner = await registry.session(ann);
  await owner("PUT", "/organization/acme/team/dev", { role: "member" });
  await owner("PUT", "/organization/acme/robots/ci");
  for (const member of ["bob", "acme%2Bci"]) await owner("PUT", `/organization/acme/team/dev/members/${member}`);
  await store.db.deleteFrom("usage_log").execute();
  const time = fakeTime(registry.time.now);
  return {
    registry,
    groups,
    asked,
    time,
    async link(team: string, group: string) {
      const { id } = await store.db.selectFrom("team").select("id").where("name", "=", team).executeTakeFirstOrThrow();
      const config = JSON.stringify({ group_dn: group });
      await store.db
        .insertInto("team_sync")
        .values({ team_id: id, service: "ldap", config, synced_at: null })
        .execute();
    },
    async sync(signal?: AbortSignal) {
      await enqueueJob(store.db, syncTeamsJob.of(null, { maxAttempts: 1 }), time.clock);
      const jobs = [syncTeamsJob.withContext({ store, directory, settings, clock: time.clock })];
      await (signal ? runNextJob({ store, jobs, ...time, signal }) : runDueJobs({ store, jobs, ...time }));
    },
    async members(team: string): Promise<string[]> {
      const { body } = await owner("GET", `/organization/acme/team/${team}/members`);
      return body.members.map(({ name }: { name: string }) => name);
    },
  };
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "syncTeams on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)(
      "makes the users of a team those of its group, and leaves robots",
      async () => {
        const { registry, link, sync, members } = await openAcme(engine);
        await using _ = registry;
        await link("dev", "dev");

        await sync();

        expect(await members("dev")).toEqual(["acme+ci", "eve"]);
        expect(await registry.usageLog()).toEqual([
          { kind: "org_add_team_member", metadata: { member: "eve", team: "dev" } },
          { kind: "org_remove_team_member", metadata: { member: "bob", team: "dev" } },
        ]);
        const eve = registry.store.db.selectFrom("account").selectAll().where("username", "=", "eve");
        expect(await eve.executeTakeFirst()).toMatchObject({ kind: "user", verified: 1, password_hash: null });
      },
    );
  },
);

describe("syncTeams", () => {
  it("looks at a group again after a quarter of an hour", async () => {
    const { registry, link, sync, members, groups, asked, time } = await openAcme();
    await using _ = registry;
    await link("dev", "dev");

    await sync();
    groups.set("dev", ["eve", "joe"]);
    time.advance(14 * minute);
    await sync();
    const before = await members("dev");
    time.advance(minute);
    await sync();

    expect(before).toEqual(["acme+ci", "eve"]);
    expect(await members("dev")).toEqual(["acme+ci", "eve", "joe"]);
    expect(asked).toEqual(["dev", "dev"]);
  });

  it("changes nothing after it is stopped while the directory is asked", async () => {
    const { registry, link, sync, members, groups } = await openAcme();
    await using _ = registry;
    const stopping = new AbortController();
    await link("dev", "dev");
    groups.get = () => {
      stopping.abort();
      return ["eve"];
    };

    await sync(stopping.signal);

    expect(await members("dev")).toEqual(["acme+ci", "bob"]);
  });

  it("keeps the last administrator of an organization", async () => {
    const { registry, link, sync, members, groups } = await openAcme();
    await using _ = registry;
    groups.set("chiefs", ["acme", "Not A Name"]);
    await link("owners", "chiefs");

    await sync();

    expect(await members("owners")).toEqual(["ann"]);
  });

  it("removes the users of a group that has become empty", async () => {
    const { registry, link, sync, members, groups } = await openAcme();
    await using _ = registry;
    await link("dev", "dev");
    groups.set("dev", []);

    await sync();

    expect(await members("dev")).toEqual(["acme+ci"]);
  });

  it.each([
    { hours: 23, left: ["acme+ci", "eve"] },
    { hours: 24, left: ["acme+ci"] },
  ])("leaves $left in the team $hours hours after the group was found", async ({ hours, left }) => {
    const { registry, link, sync, members, groups, time } = await openAcme();
    await using _ = registry;
    await link("dev", "dev");
    await sync();
    groups.clear();
    time.advance(hours * 60 * minute);

    await sync();

    expect(await members("dev")).toEqual(left);
  });

  it("removes nobody a day after the directory was reached", async () => {
    const { registry, link, sync, members, groups, time } = await openAcme();
    await using _ = registry;
    await link("dev", "dev");
    await sync();
    groups.get = () => {
      throw new Error("the directory is down");
    };
    time.advance(48 * 60 * minute);

    await sync();

    expect(await members("dev")).toEqual(["acme+ci", "eve"]);
  });

  it("changes nothing where the group was never found", async () => {
    const { registry, link, sync, members, groups } = await openAcme();
    await using _ = registry;
    groups.clear();
    await link("dev", "dev");

    await sync();

    expect(await members("dev")).toEqual(["acme+ci", "bob"]);
  });

  it("syncs the other teams when one cannot be, and says so", async () => {
    const { registry, link, sync, members } = await openAcme();
    await using _ = registry;
    await link("owners", "broken");
    await link("dev", "dev");

    await sync();

    expect(await members("dev")).toEqual(["acme+ci", "eve"]);
    const jobs = await listJobs(registry.store.db, { kind: syncTeamsJob.kind });
    expect(jobs).toMatchObject([{ state: "dead", lastError: expect.stringContaining("1 teams could not be synced") }]);
  });
});
