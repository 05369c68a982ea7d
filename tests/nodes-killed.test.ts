/**
 * Two nodes of one registry, killed at random while they take pushes, scan, mirror, cache, prune, build, export logs and tell of it: on one folder with
 * SQLite, and on PostgreSQL with an S3 store. Whatever was acknowledged is done in the end, and from outside it is done once.
 */
import { randomBytes } from "node:crypto";
import { countJobs, openStore, type Store } from "@plimsoll/store";
import { type BuiltImage, engineTitle, packTree, startWebhookReceiver, type WebhookReceiver } from "@plimsoll/testing";
import { describe, expect, it, onTestFailed } from "vitest";
import { noBuildah } from "../packages/registry-api/src/builds/fixtures/build-world.ts";
import { installations } from "./support/installations.ts";
import { ConnectionBroken, contentOf, PushClient } from "./support/push-client.ts";
import { pushImage } from "./support/push-image.ts";
import { Reaper } from "./support/reaper.ts";
import { firstUser, type RegistryProcess, startRegistry } from "./support/registry-process.ts";
import { debianImage } from "./support/sample-image.ts";
import { seededRandom } from "./support/seeded-random.ts";
import { ServiceProcess } from "./support/service-process.ts";
import { openOwnSource, pusher, type SourceRegistry } from "./support/source-registries.ts";
import { tempFolder } from "./support/temp-folder.ts";

const seed = Number(process.env.PLIMSOLL_TEST_SEED ?? 20_261_126);
const kills = Math.min(8, Math.ceil(Number(process.env.PLIMSOLL_TEST_KILLS ?? 10) * 0.4));
/** A node is killed after between 1 and so many answers to pushes and calls of the receiver. */
const mostEvents = 3;
const pushes = 12;
const mirrored = 10;
const [kept, pruned] = [5, 15];
const exports = 3;
/** None where nothing can be built. */
const builds = noBuildah === undefined ? 2 : 0;
/** Jobs that were asked for: of others one always waits for its next turn. */
const askedFor: ReadonlySet<string> = new Set([
  "registry.deliver-notification",
  "registry.export-logs",
  "registry.run-build",
  "registry.scan-manifest",
]);
const basic = `Basic ${btoa(`${firstUser.username}:${firstUser.password}`)}`;

describe.each(installations.map((one) => ({ ...one, title: engineTitle(one.engine) })))(
  "two nodes on $title and $blobs",
  ({ engine, settings: ofBlobs, skip }) => {
    it.skipIf(skip !== undefined)(
      `lose nothing and do nothing twice when they are killed at random (seed ${seed})`,
      async () => {
        using folder = tempFolder();
        await using database = await engine.create();
        const reaper = new Reaper({ random: seededRandom(seed), mostEvents, mostKills: kills });
        await using receiver = await startWebhookReceiver(() => reaper.event());
        await using source = await openOwnSource();
        const settings = {
          ...ofBlobs,
          database: database.location,
          secretKey: randomBytes(32).toString("base64"),
          allowedInternalHosts: "127.0.0.1",
          jobLeaseSeconds: "2",
          scanPatienceSeconds: "1",
          features: '{"builds":true}',
        };
        await using first = await startRegistry(folder.path, settings);
        await using second = await ServiceProcess.start({ data: `${folder.path}/data`, offline: "1", ...settings });
        await second.listening();
        const nodes = [first.process, second];
        onTestFailed(() => void process.stderr.write(`${nodes.flatMap(({ log }) => log.slice(-15)).join("\n")}\n`));
        await using store = await openStore<object>(database.location, { migrations: [] });
        const world = new World({ first, nodes, reaper, receiver, source, store });
        await world.prepare();

        await world.askForWork();
        await world.workWhileKilled();
        await world.finish();
        await reaper.retire();
        await Promise.all(nodes.map((node) => node.listening()));

        await world.expectPushes();
        await world.expectCache();
        await world.expectMirror();
        await world.expectPruning();
        await world.expectExports();
        await world.expectBuilds();
        expect(reaper.kills).toBeGreaterThanOrEqual(kills / 2);
        expect(nodes.flatMap(({ crashes }) => crashes)).toEqual([]);
      },
      300_000,
    );
  },
);

interface Parts {
  readonly first: RegistryProcess;
  readonly nodes: readonly ServiceProcess[];
  readonly reaper: Reaper;
  readonly receiver: WebhookReceiver;
  readonly source: SourceRegistry;
  readonly store: Store<object>;
}

/** What the nodes are asked for, and what is seen of it. */
class World {
  readonly #parts: Parts;
  readonly #sourceTags: Record<string, string> = {};
  /** How often each tag was sent: more than once where the answer was lost. */
  readonly #sent = new Map<string, number>();
  readonly #digests = new Map<string, string>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Makes repositories, a notification, an image to prune and a registry to mirror. */
  async prepare(): Promise<void> {
    const { first, receiver, source } = this.#parts;
    await first.call("POST", "/organization/", { name: "acme", email: "acme@example.com" });
    await first.call("PUT", "/organization/acme/robots/bot", {});
    await first.call("POST", "/organization/", { name: "cache", email: "cache@example.com" });
    await first.call("POST", "/organization/cache/proxycache", { upstream_registry: source.host, insecure: true });
    for (const repository of ["app", "old", "mirror", "built"]) {
      await first.call("POST", "/repository", {
        namespace: "acme",
        repository,
        visibility: "private",
        description: "",
      });
    }
    for (const [repository, event] of [
      ["app", "repo_push"],
      ["built", "build_success"],
      ["built", "build_failure"],
    ]) {
      await first.call("POST", `/repository/acme/${repository}/notification/`, {
        ...{ event, method: "webhook", config: { url: receiver.url }, eventConfig: {} },
      });
    }
    const image = await debianImage(["zlib 1"]);
    for (let number = 0; number < kept + pruned; number++) await this.#push("old", image, `v${number}`);
    const push = pusher(source);
    for (let number = 0; number < mirrored; number++) {
      this.#sourceTags[`v${number}`] = (await push.image("base", `layer ${number}`, `v${number}`)).digest;
    }
  }

  /** Asks for what nodes do by themselves. */
  async askForWork(): Promise<void> {
    const { first, source, receiver } = this.#parts;
    await first.call("POST", "/repository/acme/mirror/mirror", {
      external_reference: `${source.host}/alice/app`,
      sync_start_date: new Date().toISOString().replace(/\.\d+/, ""),
      sync_interval: 86_400,
      robot_username: "acme+bot",
      external_registry_config: { verify_tls: false },
      root_rule: { rule_kind: "tag_glob_csv", rule_value: ["v*"] },
    });
    await first.call("POST", "/repository/acme/old/autoprunepolicy/", { method: "number_of_tags", value: kept });
    await this.#askForBuilds();
    for (let number = 0; number < exports; number++) {
      await first.call("POST", "/organization/acme/exportlogs", { callback_url: receiver.url });
    }
  }

  /** Pushes images, each of which is scanned and told of, and pulls through the cache, while nodes are killed. */
  async workWhileKilled(): Promise<void> {
    const { nodes, reaper } = this.#parts;
    reaper.release(nodes);
    await Promise.all([this.#pushAll(), this.#pullAll()]);
  }

  /** Resolves when no job is left of those that were asked for, and the mirror and the pruning are through. */
  async finish(): Promise<void> {
    const { db } = this.#parts.store;
    const left = async () => (await countJobs(db)).filter(({ kind }) => askedFor.has(kind));
    await expect.poll(left, { timeout: 120_000 }).toEqual([]);
    await expect.poll(() => this.#mirrorState()).toBe("SUCCESS");
    await expect.poll(async () => Object.keys(await this.#tags("old")).length).toBe(kept);
    expect((await countJobs(db)).filter(({ state }) => state === "dead")).toEqual([]);
  }

  async expectPushes(): Promise<void> {
    const told = this.#parts.receiver.calls.map(({ headers, body }) => ({
      id: headers["webhook-id"],
      ...JSON.parse(body),
    }));
    const pushed = told.filter((each) => "updated_tags" in each);
    expect(await this.#tags("app")).toEqual(Object.fromEntries(this.#digests));
    for (const [tag, digest] of this.#digests) {
      const ids = new Set(pushed.filter((each) => each.updated_tags.includes(tag)).map(({ id }) => id));
      expect([tag, ids.size > 0, ids.size <= (this.#sent.get(tag) ?? 0)]).toEqual([tag, true, true]);
      const security = `/repository/acme/app/manifest/${digest}/security`;
      expect([tag, await this.#parts.first.call("GET", security)]).toMatchObject([tag, { status: "scanned" }]);
    }
  }

  /** What a pull brought is what the other registry has; none of it is left half. */
  async expectCache(): Promise<void> {
    const { first, source } = this.#parts;
    await source[Symbol.asyncDispose]();
    const cached = new PushClient(`${first.process.url}/v2/cache/alice/app/`, first.token);
    for (const [tag, digest] of Object.entries(this.#sourceTags)) {
      expect([tag, await cached.pull(tag)]).toEqual([tag, digest]);
    }
  }

  async expectMirror(): Promise<void> {
    expect(await this.#tags("mirror")).toEqual(this.#sourceTags);
    expect(await this.#logged("mirror", "repo_mirror_sync_success")).toHaveLength(1);
  }

  async expectPruning(): Promise<void> {
    const newest = Array.from({ length: kept }, (_, number) => `v${pruned + number}`);
    expect(Object.keys(await this.#tags("old")).sort()).toEqual(newest.sort());
    const entries = await this.#logged("old", "autoprune_tag_delete");
    const names = entries.map(({ metadata }) => metadata.tag);
    expect(names.sort()).toEqual(Array.from({ length: pruned }, (_, number) => `v${number}`).sort());
  }

  /**
   * A callback may come again, where a node was killed before it knew of the answer: for the same export, and none has failed. The file is
   * fetched once.
   */
  async expectExports(): Promise<void> {
    const told = this.#parts.receiver.calls.map(({ body }) => JSON.parse(body)).filter((each) => "export_id" in each);
    const exported = new Set<string>(told.map(({ export_id }) => export_id));
    expect(exported.size).toBe(exports);
    expect(new Set(told.map(({ status }) => status))).toEqual(new Set(["success"]));
    for (const export_id of exported) {
      const link: string = told.findLast((each) => each.export_id === export_id).exported_data_url;
      const fetchFile = () => fetch(`${this.#parts.first.process.url}${new URL(link).pathname}`);
      expect(await (await fetchFile()).json()).toMatchObject({ export_id });
      expect((await fetchFile()).status).toBe(404);
    }
  }

  /** A build may be begun again, but it is told of once, and its tags are there. */
  async expectBuilds(): Promise<void> {
    const told = this.#parts.receiver.calls.map(({ headers, body }) => ({
      id: headers["webhook-id"],
      ...JSON.parse(body),
    }));
    const ended = told.filter((each) => "build_id" in each);
    expect(new Set(ended.map(({ id }) => id)).size).toBe(builds);
    expect(ended.filter((each) => "error_message" in each)).toEqual([]);
    const tags = await this.#tags("built");
    const digests = new Map(ended.map(({ docker_tags, manifest_digests }) => [docker_tags[0], manifest_digests[0]]));
    expect(tags).toEqual(Object.fromEntries(digests));
    expect(Object.keys(tags)).toHaveLength(builds);
  }

  async #askForBuilds(): Promise<void> {
    const { first } = this.#parts;
    const client = new PushClient(`${first.process.url}/v2/acme/built/`, first.token);
    for (let number = 0; number < builds; number++) {
      const archive = contentOf(await packTree({ Dockerfile: "FROM scratch\nCOPY a /a\n", a: `built ${number}` }));
      const init = { headers: { "content-type": "application/octet-stream" }, body: archive.bytes };
      await client.ask("POST", `blobs/uploads/?digest=${archive.digest}`, { expected: [201], init });
      await first.call("POST", "/repository/acme/built/build/", { file_id: archive.digest, tags: [`b${number}`] });
    }
  }

  async #pushAll(): Promise<void> {
    for (let number = 0; number < pushes; number++) {
      const image = await debianImage([`openssl ${number}`]);
      this.#digests.set(`v${number}`, image.digest);
      await this.#push("app", image, `v${number}`);
    }
  }

  /** Pulls each tag of the other registry through the cache, from any node that answers, again where the answer is lost. */
  async #pullAll(): Promise<void> {
    const { nodes, first, reaper } = this.#parts;
    let attempt = 0;
    for (const [tag, digest] of Object.entries(this.#sourceTags)) {
      for (let pulled: string | undefined; pulled === undefined; attempt++) {
        const node = nodes[attempt % nodes.length] as ServiceProcess;
        await node.listening();
        const client = new PushClient(`${node.url}/v2/cache/alice/app/`, first.token);
        pulled = await client.pull(tag).catch((error: unknown) => {
          if (error instanceof ConnectionBroken) return undefined;
          throw error;
        });
        if (pulled !== undefined) expect([tag, pulled]).toEqual([tag, digest]);
        reaper.event();
      }
    }
  }

  /** Pushes to any node that answers, again where the answer is lost. */
  async #push(repository: string, image: BuiltImage, tag: string): Promise<void> {
    const { nodes, reaper } = this.#parts;
    for (let attempt = 0; ; attempt++) {
      const node = nodes[attempt % nodes.length] as ServiceProcess;
      await node.listening();
      this.#sent.set(tag, attempt + 1);
      const isPushed = await pushImage(`${node.url}/v2/acme/${repository}`, basic, { image, reference: tag }).then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof TypeError)) throw error; // it is none where the connection broke
          return false;
        },
      );
      if (isPushed) return reaper.event();
    }
  }

  async #mirrorState(): Promise<string> {
    const mirror = (await this.#ask("/repository/acme/mirror/mirror")) as { readonly sync_status: string };
    return mirror.sync_status;
  }

  /** Tags with the digests that they point at. */
  async #tags(repository: string): Promise<Readonly<Record<string, string>>> {
    const list = (await this.#ask(`/repository/acme/${repository}/tag/?onlyActiveTags=true&limit=100`)) as TagList;
    return Object.fromEntries(list.tags.map(({ name, manifest_digest }) => [name, manifest_digest]));
  }

  async #logged(repository: string, kind: string): Promise<readonly LogEntry[]> {
    const entries: LogEntry[] = [];
    for (let page: string | undefined = ""; page !== undefined; ) {
      const next: string = page === "" ? "" : `?next_page=${encodeURIComponent(page)}`;
      const list = (await this.#ask(`/repository/acme/${repository}/logs${next}`)) as LogList;
      entries.push(...list.logs);
      page = list.next_page;
    }
    return entries.filter((entry) => entry.kind === kind);
  }

  async #ask(path: string): Promise<unknown> {
    const { first } = this.#parts;
    await first.process.listening();
    return first.call("GET", path);
  }
}

interface TagList {
  readonly tags: readonly { readonly name: string; readonly manifest_digest: string }[];
}

interface LogEntry {
  readonly kind: string;
  readonly metadata: { readonly tag?: string };
}

interface LogList {
  readonly logs: readonly LogEntry[];
  readonly next_page?: string;
}
