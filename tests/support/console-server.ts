import { DatabaseSync } from "node:sqlite";
import type { SettingInForce } from "@plimsoll/registry";
import { defaultRegistrySettings } from "@plimsoll/registry/settings";
import { openScanner } from "@plimsoll/scanner";
import type { OidcProviderSettings } from "@plimsoll/server";
import { startServing } from "@plimsoll/server/serve";
import type { BuiltImage, BuiltIndex } from "@plimsoll/testing";
import { pino } from "pino";
import type { DirectoryServer } from "./directory-server.ts";
import { insertTags } from "./insert-tags.ts";
import { pushImage } from "./push-image.ts";
import { debianTracker } from "./sample-image.ts";
import { testSettings } from "./scanner-service.ts";
import { tempFolder } from "./temp-folder.ts";

/** A user of the console. */
export const visitor = { username: "alice", password: "sesame-open" } as const;

/** What the scanner of a console's registry knows. */
export interface ConsoleData {
  /** Of Debian, by source package and CVE. */
  readonly advisories?: Parameters<typeof debianTracker>[0];
  /** The CVEs that are known to be exploited. */
  readonly exploited?: readonly string[];
  /** How likely the exploit of a CVE is, from 0 to 1. */
  readonly likely?: Readonly<Record<string, number>>;
  /** Where feeds are that the server itself is to load, by name; absent: it loads none. */
  readonly feeds?: Readonly<Record<string, string>>;
  /** What is told of the settings of the process. */
  readonly settings?: readonly SettingInForce[];
  /** The port of this machine where a mail server listens; absent: no mail is sent. */
  readonly mailPort?: number;
  /** Where users may sign in besides. */
  readonly providers?: readonly OidcProviderSettings[];
  /** The directory that users are in besides. */
  readonly ldap?: DirectoryServer["ldap"];
  /** The key that signs the tokens of the scanner's API, for the issuer `tests`; absent: it answers nobody. */
  readonly scannerKey?: Uint8Array;
  /** Where its program `buildah` is; absent: nothing builds images. */
  readonly builderFolder?: string;
}

const sampleAdvisories = {
  openssl: { "CVE-2024-1": { fixed: "3.0.15-1", urgency: "high" }, "CVE-2024-2": { urgency: "low" } },
  zlib: { "CVE-2023-9": { urgency: "unimportant" } },
};

/** A registry with its scanner and its console, on a database of its own. */
export async function openConsoleServer(data: ConsoleData = {}) {
  await using resources = new AsyncDisposableStack();
  const folder = resources.use(tempFolder()).path;
  const database = `sqlite:${folder}/plimsoll.db`;
  const { host: _, ...settings } = {
    ...defaultRegistrySettings,
    superusers: [visitor.username],
    allowedInternalHosts: ["127.0.0.0/8"],
    features: { ...defaultRegistrySettings.features, builds: data.builderFolder !== undefined },
  };
  await loadFeeds(database, data);
  const storage = { kind: "files", folder: `${folder}/blobs` } as const;
  const environment = { PATH: `${data.builderFolder}:${process.env.PATH}` };
  const imageBuilds = data.builderFolder !== undefined && { imageBuilds: { folder: `${folder}/builds`, environment } };
  const inForce = data.settings !== undefined && { inForce: data.settings };
  const oidcProviders = data.providers ?? [];
  const mail = { url: `smtp://127.0.0.1:${data.mailPort}`, from: "registry@example.com", requireTls: false };
  const mailing = data.mailPort !== undefined && { mail };
  const registry = {
    settings,
    oidcProviders,
    ...inForce,
    ...mailing,
    ldap: data.ldap,
    secretFile: `${folder}/secret`,
    storage,
    ...imageBuilds,
  };
  let aheadMs = 0;
  const parts = { logger: pino({ level: "silent" }), clock: { now: () => Date.now() + aheadMs } };
  const { feeds, scannerKey } = data;
  const auth = scannerKey === undefined ? undefined : { key: scannerKey, issuers: ["tests"] };
  const updates = { updaters: Object.keys(feeds ?? {}), ...(feeds && { feeds, updatePeriodSeconds: 86_400 }) };
  const { address } = resources.use(
    await startServing({ ...testSettings, database, registry, auth, ...updates }, parts),
  );
  const owned = resources.move();
  const { username, password } = visitor;
  const basic = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  return {
    address,
    /** Pushes an image into a repository of the visitor's. */
    push: (image: BuiltImage | BuiltIndex, repository: string, tag: string) =>
      pushImage(`${address}/v2/${username}/${repository}`, basic, { image, reference: tag }),
    /** Gives a repository more tags of the image that was pushed to it, each older than the one after it, and all older than the pushed one. */
    tag: (repository: string, tags: readonly string[]) => insertTags(database, repository, tags),
    /** Has a repository pulled so often on the days before today, the oldest day first. */
    countPulls(repository: string, counts: readonly number[]): void {
      using db = new DatabaseSync(`${folder}/plimsoll.db`);
      const insert = db.prepare(
        "insert into daily_action_count (repository_id, day, count, pulls) select id, ?, ?, ? from image_repository where name = ?",
      );
      for (const [index, count] of counts.entries()) {
        const day = new Date(Date.now() - (counts.length - index) * 86_400_000).toISOString().slice(0, 10);
        insert.run(day, count, count, repository);
      }
    },
    /** Has what is known of all images be found now, as if each had been scanned before. @returns of how many images something is known */
    makeNews(): number {
      using db = new DatabaseSync(`${folder}/plimsoll.db`);
      const now = Date.now();
      db.prepare("update found_vulnerability set found_at = ?").run(now);
      return Number(db.prepare("update finding_count set news_at = ? where counted_at > 0").run(now).changes);
    },
    /** Has the server's clock go ahead. */
    pass(seconds: number): void {
      aheadMs += seconds * 1000;
    },
    /** Has a recurring job run now, which would run in hours. */
    hasten(kind: string): void {
      using db = new DatabaseSync(`${folder}/plimsoll.db`);
      const now = Date.now();
      const { changes } = db.prepare("update jobs set due_at = ?, turn = ? where kind = ?").run(now, now, kind);
      if (changes !== 1) throw new Error(`${changes} jobs of the kind ${kind} wait`);
    },
    /** Puts a job into the queue that has failed for good. */
    putDeadJob(kind: string, error: string): void {
      using db = new DatabaseSync(`${folder}/plimsoll.db`);
      const columns =
        "id, kind, payload, tenant, due_at, turn, attempts, losses, max_attempts, is_dead, last_error, created_at";
      const row = [`dead ${kind}`, kind, "null", "", 0, 0, 1, 0, 1, 1, error, 0];
      db.prepare(`insert into jobs (${columns}) values (${row.map(() => "?").join(", ")})`).run(...row);
    },
    /** Makes the visitor's account, as the first page does. */
    async makeVisitor() {
      const body = JSON.stringify({ ...visitor, email: "alice@example.com", access_token: true });
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`${address}/api/v1/user/initialize`, { method: "POST", headers, body });
      const { access_token: token } = (await answer.json()) as { readonly access_token: string };
      return token;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function loadFeeds(
  database: string,
  { advisories = sampleAdvisories, exploited = [], likely = {} }: ConsoleData,
) {
  using folder = tempFolder();
  const other = "CVE-1999-1111"; // a feed without anything is not loaded
  const vulnerabilities = [other, ...exploited].map((cveID) => ({
    cveID,
    dateAdded: "2024-05-01",
    dueDate: "2024-05-22",
  }));
  const scores = Object.entries({ [other]: 0.001, ...likely }).map(
    ([cve, probability]) => `${cve},${probability},${probability}`,
  );
  const locations = {
    debian: folder.write("tracker.json", debianTracker(advisories)),
    kev: folder.write("kev.json", JSON.stringify({ catalogVersion: "1", vulnerabilities })),
    epss: folder.write(
      "epss.csv",
      ["#model_version:1,score_date:2024-05-01T00:00:00+0000", "cve,epss,percentile", ...scores].join("\n"),
    ),
  };
  await using scanner = await openScanner({ db: database });
  await scanner.updateFeeds({ only: ["debian", "kev", "epss"], locations });
}
