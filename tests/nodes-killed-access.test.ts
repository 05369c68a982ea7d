/**
 * Two nodes of one registry, killed at random while a team follows a group of a directory and a gate denies an image: each change of the team
 * happens once, none is lost, and neither node ever serves the image.
 */
import { randomBytes } from "node:crypto";
import type { RegistryTables } from "@plimsoll/registry/store/tables/all";
import { hastenRecurrence, openStore, type Store, systemTime } from "@plimsoll/store";
import { engineTitle, skipNote } from "@plimsoll/testing";
import { describe, expect, it, onTestFailed } from "vitest";
import { syncTeamsJob } from "../packages/registry/src/organizations/teams/jobs.ts";
import { DirectoryPeople } from "./support/directory-people.ts";
import { installations } from "./support/installations.ts";
import { pushImage } from "./support/push-image.ts";
import { Reaper } from "./support/reaper.ts";
import { firstUser, type RegistryProcess, startRegistry } from "./support/registry-process.ts";
import { debianImage } from "./support/sample-image.ts";
import { loadTracker } from "./support/scanner-service.ts";
import { seededRandom } from "./support/seeded-random.ts";
import { ServiceProcess } from "./support/service-process.ts";
import { tempFolder } from "./support/temp-folder.ts";

const seed = Number(process.env.PLIMSOLL_TEST_SEED ?? 20_261_126);
const kills = Math.min(6, Math.ceil(Number(process.env.PLIMSOLL_TEST_KILLS ?? 10) * 0.4));
const names = ["ada", "ben", "cem", "dan", "eva", "fay"];
const people = Object.fromEntries(names.map((name) => [name, `password of ${name}`]));
const url = process.env.PLIMSOLL_TEST_LDAP;
const missing = url === undefined ? "PLIMSOLL_TEST_LDAP is not set" : undefined;
const authorization = `Basic ${btoa(`${firstUser.username}:${firstUser.password}`)}`;

describe.each(installations.map((one) => ({ ...one, title: `${engineTitle(one.engine)}${skipNote(missing)}` })))(
  "two nodes on $title and $blobs",
  ({ engine, settings: ofBlobs, skip }) => {
    it.skipIf((skip ?? missing) !== undefined)(
      `keep a team and a gate when they are killed at random (seed ${seed})`,
      async () => {
        using folder = tempFolder();
        await using database = await engine.create();
        await loadTracker(database.location, { openssl: { "CVE-2024-0001": { urgency: "high" } } });
        await using directory = await DirectoryPeople.open(url ?? "", people);
        const settings = {
          ...{ ...ofBlobs, ...directory.settings, database: database.location, superusers: firstUser.username },
          ...{ secretKey: randomBytes(32).toString("base64"), jobLeaseSeconds: "2", updaters: "debian" },
        };
        await using first = await startRegistry(folder.path, settings);
        await using second = await ServiceProcess.start({ data: `${folder.path}/data`, offline: "1", ...settings });
        await second.listening();
        const nodes = [first.process, second];
        onTestFailed(() => void process.stderr.write(`${nodes.flatMap(({ log }) => log.slice(-15)).join("\n")}\n`));
        await using store = await openStore<RegistryTables>(database.location, { migrations: [] });
        const reaper = new Reaper({ random: seededRandom(seed), mostEvents: 3, mostKills: kills });
        await prepare(first, directory);

        reaper.release(nodes);
        let isOver = false;
        const following = follow(first, { directory, store, reaper }).finally(() => {
          isOver = true;
        });
        const statuses = await pullUntil(nodes, () => isOver);
        await following;
        await reaper.retire();
        await Promise.all(nodes.map((node) => node.listening()));

        expect([...new Set(statuses)]).toEqual([403]);
        const logged = await listLogs(first);
        const changes = (kind: string) =>
          logged.filter((entry) => entry.kind === kind).map(({ metadata }) => metadata.member);
        expect(changes("org_add_team_member").sort()).toEqual(names);
        expect(changes("org_remove_team_member").sort()).toEqual(names.slice(1));
        expect(reaper.kills).toBeGreaterThanOrEqual(kills / 2);
        expect(nodes.flatMap(({ crashes }) => crashes)).toEqual([]);
      },
      300_000,
    );
  },
);

/** Makes an image that a gate denies, and a team that follows a group. */
async function prepare(first: RegistryProcess, directory: DirectoryPeople): Promise<void> {
  const image = await debianImage(["openssl 3.0.11-1~deb12u1"]);
  await first.call("POST", "/organization/", { name: "acme", email: "acme@example.com" });
  await pushImage(`http://${first.host}/v2/acme/app`, authorization, { image, reference: "v1" });
  const security = `/repository/acme/app/manifest/${image.digest}/security`;
  const status = async () => ((await first.call("GET", security)) as { readonly status: string }).status;
  await expect.poll(status).toBe("scanned");
  await first.call("PUT", "/organization/acme/pullgate", { severity: "High" });
  await first.call("PUT", "/organization/acme/team/dev", { role: "member" });
  await first.call("POST", "/organization/acme/team/dev/syncing", { group_dn: directory.group });
}

/** Lets people leave the group one by one, and each time the team follow. */
async function follow(
  first: RegistryProcess,
  {
    directory,
    store,
    reaper,
  }: { readonly directory: DirectoryPeople; readonly store: Store<RegistryTables>; readonly reaper: Reaper },
): Promise<void> {
  const sync = async () => {
    await store.db.updateTable("team_sync").set({ synced_at: null }).execute();
    await hastenRecurrence({ db: store.db, clock: systemTime.clock }, syncTeamsJob, null);
    reaper.event();
  };
  for (let left = 0; ; left++) {
    await sync();
    const members = async () => {
      reaper.event();
      return memberNames(first);
    };
    await expect.poll(members, { interval: 200 }).toEqual(names.slice(0, names.length - left));
    const leaving = names.at(-1 - left);
    if (leaving === undefined || left === names.length - 1) return;
    await directory.leaveGroup(leaving);
  }
}

/** @returns undefined where the node was killed meanwhile */
async function memberNames(first: RegistryProcess): Promise<readonly string[] | undefined> {
  const team = await unlessKilled(first, "/organization/acme/team/dev/members");
  return (team as TeamMembers | undefined)?.members.map(({ name }) => name);
}

async function unlessKilled(first: RegistryProcess, path: string): Promise<unknown> {
  await first.process.listening();
  return first.call("GET", path).catch((error: unknown) => {
    if (error instanceof TypeError) return undefined; // the connection broke
    throw error;
  });
}

/** Asks both nodes for the image, by turns. @returns the statuses of their answers */
async function pullUntil(nodes: readonly ServiceProcess[], isOver: () => boolean): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let turn = 0; !isOver(); turn++) {
    const node = nodes[turn % nodes.length] as ServiceProcess;
    await node.listening();
    const answer = fetch(`${node.url}/v2/acme/app/manifests/v1`, { headers: { authorization } });
    const status = await answer.then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => undefined,
    );
    if (status !== undefined) statuses.push(status);
  }
  return statuses;
}

async function listLogs(first: RegistryProcess): Promise<readonly LogEntry[]> {
  const entries: LogEntry[] = [];
  for (let page: string | undefined = ""; page !== undefined; ) {
    const next: string = page === "" ? "" : `?next_page=${encodeURIComponent(page)}`;
    const list = (await first.call("GET", `/organization/acme/logs${next}`)) as LogList;
    entries.push(...list.logs);
    page = list.next_page;
  }
  return entries;
}

interface TeamMembers {
  readonly members: readonly { readonly name: string }[];
}

interface LogEntry {
  readonly kind: string;
  readonly metadata: { readonly member?: string };
}

interface LogList {
  readonly logs: readonly LogEntry[];
  readonly next_page?: string;
}
