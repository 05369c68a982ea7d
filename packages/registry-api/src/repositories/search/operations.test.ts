import { avatarOf } from "@plimsoll/registry/values/avatar";
import { engineTitle, type TestEngine, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { type Call, openTestRegistry, type TestRegistryOptions } from "../../fixtures/test-registry.ts";
import { putRepository } from "../../fixtures/test-repositories.ts";

async function openAcme(engine?: TestEngine) {
  const registry = await openTestRegistry(engine === undefined ? {} : { engine });
  const [ann, dave, eve] = [await registry.user("ann"), await registry.user("dave"), await registry.user("eve")];
  await registry.user("da_ve");
  await registry.organization("acme", { admin: [ann], member: [dave] });
  await registry.organization("data");
  const owner = await registry.session(ann);
  await owner("PUT", "/organization/acme/robots/deploy");
  await owner("PUT", "/organization/acme/team/dev", { role: "member" });
  await (await registry.session(eve))("PUT", "/user/robots/dig");
  return { registry, ann, dave, eve, owner };
}

const names = ({ body }: { readonly body: { readonly results: readonly { readonly name: string }[] } }) =>
  body.results.map(({ name }) => name).join(" ");

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "entityOperations on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("find by how names begin, and take no character for another", async () => {
      const { registry, owner } = await openAcme(engine);
      await using _ = registry;

      expect(names(await owner("GET", "/entities/da"))).toBe("da_ve dave");
      expect(names(await owner("GET", "/entities/DA?includeOrgs=true"))).toBe("da_ve data dave");
      expect(names(await owner("GET", "/entities/da_"))).toBe("da_ve");
      expect(names(await owner("GET", "/entities/%25"))).toBe("");
      expect(names(await owner("GET", "/entities/d?namespace=acme&includeTeams=true"))).toBe(
        "dev acme+deploy da_ve dave",
      );
      expect(names(await owner("GET", "/entities/acme%2Bde?namespace=acme"))).toBe("acme+deploy");
    });
  },
);

describe("entityOperations", () => {
  it("show what each entity is", async () => {
    const { registry, owner } = await openAcme();
    await using _ = registry;
    const { id } = await registry.store.db
      .selectFrom("team")
      .select("id")
      .where("name", "=", "dev")
      .executeTakeFirstOrThrow();

    const { body } = await owner("GET", "/entities/d?namespace=acme&includeTeams=true&includeOrgs=true");

    const user = (name: string) => avatarOf("user", name, `${name}@example.com`);
    const robot = avatarOf("robot", "acme+deploy");
    expect(body.results).toEqual([
      { name: "dev", kind: "team", is_org_member: true, avatar: avatarOf("team", "dev", id) },
      { name: "acme+deploy", kind: "user", is_robot: true, is_org_member: true, avatar: robot },
      { name: "da_ve", kind: "user", is_robot: false, is_org_member: false, avatar: user("da_ve") },
      { name: "data", kind: "org", avatar: avatarOf("org", "data") },
      { name: "dave", kind: "user", is_robot: false, is_org_member: true, avatar: user("dave") },
    ]);
  });

  it.each([
    { who: "anonymous", namespace: "acme", found: "da_ve dave" },
    { who: "eve", namespace: "acme", found: "da_ve dave" },
    { who: "dave", namespace: "acme", found: "dev acme+deploy da_ve dave" },
    { who: "auditor", namespace: "acme", found: "dev acme+deploy da_ve dave" },
    { who: "eve", namespace: "eve", found: "eve+dig da_ve dave" },
    { who: "dave", namespace: "eve", found: "da_ve dave" },
    { who: "dave", namespace: "nothing", found: "da_ve dave" },
  ])("find for $who in $namespace '$found'", async ({ who, namespace, found }) => {
    const { registry, dave, eve } = await openAcme();
    await using _ = registry;
    const account = { dave, eve }[who] ?? (await registry.user(who));
    const call = who === "anonymous" ? registry.anonymous : await registry.session(account);

    expect(names(await call("GET", `/entities/d?namespace=${namespace}&includeTeams=true`))).toBe(found);
  });

  it("find ten at most, and no disabled account", async () => {
    await using registry = await openTestRegistry();
    for (let each = 10; each < 22; each++) await registry.user(`user${each}`);
    await registry.store.db.updateTable("account").set({ enabled: 0 }).where("username", "=", "user12").execute();

    const found = names(await registry.anonymous("GET", "/entities/user"));

    expect(found).toBe("user10 user11 user13 user14 user15 user16 user17 user18 user19 user20");
  });
});

async function openNamed(options: TestRegistryOptions = {}) {
  const registry = await openTestRegistry(options);
  const ada = await registry.user("ada");
  const bob = await registry.user("bob");
  const acme = await registry.organization("acme", { admin: [bob] });
  for (const name of ["app", "app-two", "my-app", "a_p"]) await putRepository(registry, { namespace: ada, name });
  await putRepository(registry, { namespace: acme, name: "app", creator: bob, visibility: "public" });
  await putRepository(registry, { namespace: acme, name: "app-hidden", creator: bob });
  return { registry, ada, bob };
}

async function foundBy(call: Call, text: string): Promise<readonly string[]> {
  const { body } = await call("GET", `/find/repositories?query=${encodeURIComponent(text)}`);
  return body.results.map(({ href }: { href: string }) => href.replace("/repository/", ""));
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "conductRepoSearch on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("finds what the caller sees, the best first", async () => {
      const { registry, ada, bob } = await openNamed({ engine });
      await using _ = registry;
      const callers = {
        ada: await registry.session(ada),
        bob: await registry.session(bob),
        anonymous: registry.anonymous,
      };

      const rows = [
        { who: "ada", text: "app", names: ["acme/app", "ada/app", "ada/app-two", "ada/my-app"] },
        { who: "ada", text: "APP", names: ["acme/app", "ada/app", "ada/app-two", "ada/my-app"] },
        { who: "ada", text: "ada/app", names: ["ada/app", "ada/app-two", "ada/my-app"] },
        { who: "ada", text: "nobody/app", names: [] },
        { who: "ada", text: "_", names: ["ada/a_p"] },
        { who: "ada", text: "%", names: [] },
        { who: "bob", text: "app", names: ["acme/app", "acme/app-hidden"] },
        { who: "anonymous", text: "app", names: ["acme/app"] },
        { who: "anonymous", text: "", names: ["acme/app"] },
      ] as const;
      for (const { who, text, names } of rows) {
        expect({ who, text, names: await foundBy(callers[who], text) }).toEqual({ who, text, names });
      }
    });
  },
);

describe("conductRepoSearch", () => {
  it("shows a repository, its namespace and its stars", async () => {
    const { registry, ada } = await openNamed();
    await using _ = registry;
    const call = await registry.session(ada);
    await call("POST", "/user/starred", { namespace: "acme", repository: "app" });

    const { body } = await registry.anonymous("GET", "/find/repositories?query=app");

    expect(body).toMatchObject({
      results: [
        {
          kind: "repository",
          title: "repo",
          namespace: { title: "org", kind: "organization", name: "acme", href: "/organization/acme" },
          name: "app",
          is_public: true,
          stars: 1,
          score: 3,
          href: "/repository/acme/app",
        },
      ],
      has_additional: false,
      page: 1,
      page_size: 10,
      start_index: 0,
    });
  });

  it("gives ten at once", async () => {
    const { registry, ada } = await openNamed();
    await using _ = registry;
    for (let index = 10; index < 22; index++) await putRepository(registry, { namespace: ada, name: `more${index}` });
    const call = await registry.session(ada);

    const first = await call("GET", "/find/repositories?query=more");
    const second = await call("GET", "/find/repositories?query=more&page=2");

    expect(first.body).toMatchObject({ has_additional: true, page: 1 });
    expect(first.body.results).toHaveLength(10);
    expect(second.body).toMatchObject({ has_additional: false, page: 2, start_index: 10 });
    expect(second.body.results.map(({ name }: { name: string }) => name)).toEqual(["more20", "more21"]);
  });
});

describe("conductSearch", () => {
  it("finds namespaces too, but shows no accounts to anonymous requests", async () => {
    const { registry, ada } = await openNamed();
    await using _ = registry;
    const call = await registry.session(ada);
    const kindsOf = async (as: Call) =>
      (await as("GET", "/find/all?query=a")).body.results.map(
        ({ kind, name }: { kind: string; name: string }) => `${kind} ${name}`,
      );

    expect((await kindsOf(call)).slice(0, 2)).toEqual(["organization acme", "user ada"]);
    expect(await kindsOf(registry.anonymous)).toEqual(["repository app"]);
  });

  it("finds the teams that the caller is in or administers, and the robots", async () => {
    const { registry, ada, bob } = await openNamed();
    await using _ = registry;
    const as = { ada: await registry.session(ada), bob: await registry.session(bob) };
    await as.bob("PUT", "/organization/acme/team/build", { role: "member" });
    await as.bob("PUT", "/organization/acme/team/bugs", { role: "member" });
    await as.bob("PUT", "/organization/acme/team/bugs/members/ada");
    await as.bob("PUT", "/organization/acme/robots/bumper");
    await as.bob("PUT", "/user/robots/builder");
    await as.ada("PUT", "/user/robots/bumper");

    const rows = [
      { who: as.bob, text: "bu", found: ["team bugs", "team build", "robot bob+builder", "robot acme+bumper"] },
      { who: as.ada, text: "bu", found: ["team bugs", "robot ada+bumper"] },
      { who: as.bob, text: "acme+b", found: ["robot acme+bumper"] },
      { who: as.bob, text: "", found: [] },
      { who: registry.anonymous, text: "bu", found: [] },
      { who: await registry.token(bob, "repo:read"), text: "bu", found: [] },
      { who: await registry.token(bob, "repo:read", "user:admin"), text: "bu", found: ["robot bob+builder"] },
      {
        who: await registry.token(bob, "repo:read", "org:admin"),
        text: "bu",
        found: ["team bugs", "team build", "robot acme+bumper"],
      },
      { who: await registry.token(ada, "repo:read", "repo:create"), text: "bu", found: ["team bugs"] },
    ];
    for (const { who, text, found } of rows) {
      const { body } = await who("GET", `/find/all?query=${encodeURIComponent(text)}`);
      expect(body.results.map(({ kind, name }: { kind: string; name: string }) => `${kind} ${name}`)).toEqual(found);
    }
    const [team, , , robot] = (await as.bob("GET", "/find/all?query=bu")).body.results;
    expect(team).toMatchObject({ organization: { name: "acme" }, href: "/organization/acme/teams/bugs" });
    expect(robot).toMatchObject({
      short_name: "bumper",
      href: "/organization/acme?tab=robots&showRobot=acme%2Bbumper",
    });
  });
});
