import { avatarOf } from "@plimsoll/registry/values/avatar";
import { engineTitle, type TestEngine, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../../../fixtures/test-registry.ts";

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
