import { forTeamsOnly } from "@plimsoll/registry/ports/identities";
import { describe, expect, it } from "vitest";
import { openTestRegistry, type TestRegistryOptions } from "../../../fixtures/test-registry.ts";

const path = "/organization/acme/team/dev";
const group = { group_dn: "cn=dev,dc=example" };
const directory = {
  ...forTeamsOnly,
  service: "ldap",
  listGroup: async (name: string) => ({ [group.group_dn]: ["eve"], empty: [] })[name],
};
const mailer = { send: async () => {} };

async function openAcme(options: TestRegistryOptions = {}) {
  const registry = await openTestRegistry({
    ports: { directory, mailer },
    features: { memberTeamSync: true },
    ...options,
  });
  const [ann, bob] = [await registry.user("ann"), await registry.user("bob")];
  await registry.organization("acme", { admin: [ann], member: [bob] });
  const owner = await registry.session(ann);
  await owner("PUT", path, { role: "member" });
  await owner("PUT", "/organization/acme/robots/ci");
  return { registry, ann, bob, owner };
}

describe("teamSyncOperations", () => {
  it("synchronize a team with a group, and keep its members afterwards", async () => {
    const { registry, owner, bob } = await openAcme();
    await using _ = registry;
    await owner("PUT", `${path}/members/bob`);

    const enabled = await owner("POST", `${path}/syncing`, group);
    const shown = await owner("GET", `${path}/members`);
    const toMember = await (await registry.session(bob))("GET", `${path}/members`);
    const organization = await owner("GET", "/organization/acme");
    const disabled = await owner("DELETE", `${path}/syncing`);
    const again = await owner("DELETE", `${path}/syncing`);

    expect(enabled).toMatchObject({ status: 200, body: { name: "dev", new_team: false } });
    expect(shown.body).toMatchObject({
      can_sync: { service: "ldap" },
      synced: { service: "ldap", last_updated: null, config: group },
    });
    expect(toMember.body.can_sync).toBe(undefined);
    expect(organization.body.teams.dev.is_synced).toBe(true);
    expect([disabled.status, again.status]).toEqual([200, 200]);
    expect((await owner("GET", `${path}/members`)).body).toMatchObject({ members: [{ name: "bob" }] });
    expect((await registry.usageLog()).filter(({ kind }) => kind.endsWith("team_sync"))).toEqual([
      { kind: "enable_team_sync", metadata: { team: "dev" } },
      { kind: "disable_team_sync", metadata: { team: "dev" } },
    ]);
  });

  it("leave users of a synced team to the directory, but not robots", async () => {
    const { registry, owner } = await openAcme();
    await using _ = registry;
    await owner("PUT", `${path}/members/bob`);
    await owner("PUT", `${path}/invite/x@example.com`);
    await owner("POST", `${path}/syncing`, group);

    const answers = [
      await owner("PUT", `${path}/members/ann`),
      await owner("DELETE", `${path}/members/bob`),
      await owner("PUT", `${path}/invite/y@example.com`),
      await owner("PUT", `${path}/members/acme%2Bci`),
      await owner("DELETE", `${path}/members/acme%2Bci`),
    ];

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 200, 204]);
    expect(answers[0]?.body.detail).toBe("Cannot call this method on an auth-synced team");
    expect((await owner("GET", `${path}/members?includePending=true`)).body.members).toHaveLength(1);
  });

  it.each([
    { body: {}, detail: "Could not sync to group: Missing group_dn" },
    { body: { group_dn: "" }, detail: "Could not sync to group: Missing group_dn" },
    { body: { group_dn: "empty" }, detail: "Could not sync to group: Group does not exist or is empty" },
    { body: { group_dn: "nothing" }, detail: "Could not sync to group: Group does not exist or is empty" },
    { body: { group_dn: 5 }, detail: "body/group_dn: must be string" },
    { body: group, detail: "Could not sync to group: Not supported", options: { ports: {} } },
    { body: group, detail: "Could not sync to group: The team is synced already", twice: true },
  ])("refuse $body: $detail", async ({ body, detail, options, twice }) => {
    const { registry, owner } = await openAcme(options);
    await using _ = registry;
    if (twice) await owner("POST", `${path}/syncing`, body);

    const answer = await owner("POST", `${path}/syncing`, body);

    expect(answer).toMatchObject({ status: 400, body: { detail } });
  });

  it.each([
    { who: "ann", memberTeamSync: false, status: 403 },
    { who: "ann", memberTeamSync: true, status: 200 },
    { who: "bob", memberTeamSync: true, status: 403 },
    { who: "root", memberTeamSync: false, status: 403 },
    { who: "root", memberTeamSync: false, superuserFullAccess: true, status: 200 },
    { who: "auditor", memberTeamSync: true, status: 403 },
    { who: "anonymous", memberTeamSync: true, status: 401 },
    { who: "ann", memberTeamSync: true, teamSync: false, status: 404 },
  ])("answer $who with $status", async ({ who, status, ...features }) => {
    const { registry, ann, bob } = await openAcme({ features });
    await using _ = registry;
    const account = { ann, bob }[who] ?? (await registry.user(who));
    const call = who === "anonymous" ? registry.anonymous : await registry.session(account);

    expect((await call("POST", `${path}/syncing`, group)).status).toBe(status);
    expect((await call("DELETE", `${path}/syncing`)).status).toBe(status);
  });
});
