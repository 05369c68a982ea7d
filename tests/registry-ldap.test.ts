/** A registry in a process of its own whose users and teams come from a directory: who is gone there has no access here. */

import type { RegistryTables } from "@plimsoll/registry/store/tables/all";
import { hastenRecurrence, openStore, systemTime } from "@plimsoll/store";
import { engineTitle, skipNote, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { checkDirectoryUsersJob } from "../packages/registry/src/accounts/external-logins/jobs.ts";
import { syncTeamsJob } from "../packages/registry/src/organizations/teams/jobs.ts";
import { DirectoryPeople } from "./support/directory-people.ts";
import { pushImage } from "./support/push-image.ts";
import { firstUser, startRegistry } from "./support/registry-process.ts";
import { debianImage } from "./support/sample-image.ts";
import { tempFolder } from "./support/temp-folder.ts";

const url = process.env.PLIMSOLL_TEST_LDAP;
const people = { dora: "doras-password", erik: "eriks-password" };
type Name = keyof typeof people;
const basic = (name: string, password: string) => `Basic ${btoa(`${name}:${password}`)}`;

const engines = testEngines
  .filter(({ shared }) => shared)
  .map((engine) => {
    const missing = url === undefined ? "PLIMSOLL_TEST_LDAP is not set" : undefined;
    return { engine, title: `${engineTitle(engine)}${skipNote(missing)}`, skip: engine.skip ?? missing };
  });

describe.each(engines)("a registry with a directory on $title", ({ engine, skip }) => {
  it.skipIf(skip !== undefined)(
    "lets in who is in the directory and its group, and refuses who is gone",
    async () => {
      using folder = tempFolder();
      await using database = await engine.create();
      await using directory = await DirectoryPeople.open(url ?? "", people);
      await using registry = await startRegistry(folder.path, {
        ...{ database: database.location, superusers: firstUser.username },
        ...directory.settings,
      });
      await using store = await openStore<RegistryTables>(database.location, { migrations: [] });
      const image = await debianImage(["zlib 1"]);
      await registry.call("POST", "/organization/", { name: "acme", email: "acme@example.com" });
      await registry.call("PUT", "/organization/acme/team/dev", { role: "member" });
      const first = basic(firstUser.username, firstUser.password);
      await pushImage(`http://${registry.host}/v2/acme/app`, first, { image, reference: "v1" });
      await registry.call("PUT", "/repository/acme/app/permissions/team/dev", { role: "read" });
      const manifest = `http://${registry.host}/v2/acme/app/manifests/v1`;
      const ask = async (at: string, name: Name, password = people[name]) =>
        (await fetch(at, { headers: { authorization: basic(name, password) } })).status;
      const signIn = (name: Name, password?: string) => ask(`http://${registry.host}/v2/`, name, password);
      const pull = (name: Name) => ask(manifest, name);
      const members = async () => {
        const team = await registry.call("GET", "/organization/acme/team/dev/members");
        return (team as { readonly members: readonly { readonly name: string }[] }).members.map(({ name }) => name);
      };
      /** Lets the job run now that looks at groups again after a while. */
      const sync = async () => {
        await store.db.updateTable("team_sync").set({ synced_at: null }).execute();
        await hastenRecurrence({ db: store.db, clock: systemTime.clock }, syncTeamsJob, null);
      };

      expect([await signIn("dora"), await signIn("erik")]).toEqual([200, 200]);
      expect([await pull("dora"), await pull("erik")]).toEqual([401, 401]);
      const group = { group_dn: directory.group };
      await registry.call("POST", "/organization/acme/team/dev/syncing", group);
      await sync();
      await expect.poll(members).toEqual(["dora", "erik"]);
      expect([await pull("dora"), await pull("erik")]).toEqual([200, 200]);

      await directory.leaveGroup("dora");
      await sync();
      await expect.poll(members).toEqual(["erik"]);
      expect([await pull("dora"), await signIn("dora"), await pull("erik")]).toEqual([401, 200, 200]);

      const bearer = await tokenOf(registry.host, basic("erik", people.erik));
      const pullWithToken = async () => (await fetch(manifest, { headers: { authorization: bearer } })).status;
      expect(await pullWithToken()).toBe(200);
      await directory.leave("erik");
      await hastenRecurrence({ db: store.db, clock: systemTime.clock }, checkDirectoryUsersJob, null);
      const enabled = async () => {
        const row = store.db.selectFrom("account").select("enabled").where("username", "=", "erik");
        return (await row.executeTakeFirstOrThrow()).enabled;
      };
      await expect.poll(enabled).toBe(0);
      expect([await pullWithToken(), await signIn("erik"), await signIn("dora")]).toEqual([401, 401, 200]);
      expect(await signIn("dora", "wrong")).toBe(401);
    },
    120_000,
  );
});

/** The token that a registry client asks for and then sends. */
async function tokenOf(host: string, authorization: string): Promise<string> {
  const asked = `http://${host}/v2/auth?service=${host}&scope=repository:acme/app:pull`;
  const { token } = (await (await fetch(asked, { headers: { authorization } })).json()) as { readonly token: string };
  return `Bearer ${token}`;
}
