/**
 * What a registry does by itself while something else is done to the same repository: rules that meet, jobs that meet requests, and a node
 * that is killed in the middle. On a server in a process of its own, with the scanner and real registries beside it.
 */

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type BuiltImage, type BuiltIndex, blobsOf, buildImage, buildIndex, buildLayer } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startFront } from "./support/http-front.ts";
import { PushClient } from "./support/push-client.ts";
import { pushImage } from "./support/push-image.ts";
import { firstUser, type RegistryProcess, startRegistry } from "./support/registry-process.ts";
import { runPlimsoll } from "./support/run-plimsoll.ts";
import { debianImage } from "./support/sample-image.ts";
import { loadTracker } from "./support/scanner-service.ts";
import { openOwnSource, type SourceRegistry } from "./support/source-registries.ts";
import { tempFolder } from "./support/temp-folder.ts";

const authorization = `Basic ${btoa(`${firstUser.username}:${firstUser.password}`)}`;
const folder = tempFolder();
let registry: RegistryProcess;

beforeAll(async () => {
  const database = join(folder.path, "registry.db");
  await loadTracker(database, { openssl: { "CVE-2024-0001": { urgency: "high" } } });
  registry = await startRegistry(folder.path, {
    ...{ database, superusers: firstUser.username, updaters: "debian" },
    ...{ allowedInternalHosts: "127.0.0.1", jobLeaseSeconds: "1" },
  });
});

afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

async function makeOrganization(name: string, repository = "app"): Promise<void> {
  await registry.call("POST", "/organization/", { name, email: `${name}@example.com` });
  const asked = { namespace: name, repository, visibility: "private", description: "" };
  await registry.call("POST", "/repository", asked);
}

async function push(path: string, image: BuiltImage, reference: string): Promise<void> {
  await pushImage(`http://${registry.host}/v2/${path}`, authorization, { image, reference });
}

/** Active tags with the digests that they point at. */
async function tagsOf(path: string): Promise<Readonly<Record<string, string>>> {
  const { tags } = (await registry.call("GET", `/repository/${path}/tag/?onlyActiveTags=true&limit=100`)) as {
    readonly tags: readonly { readonly name: string; readonly manifest_digest: string }[];
  };
  return Object.fromEntries(tags.map(({ name, manifest_digest }) => [name, manifest_digest]));
}

async function numberedImage(number: number): Promise<BuiltImage> {
  return buildImage({ layers: [await buildLayer({ a: `image ${number}` })] });
}

function pushTo({ host }: SourceRegistry, image: BuiltImage | BuiltIndex, reference: string): Promise<void> {
  return pushImage(`http://${host}/v2/alice/app`, authorization, { image, reference });
}

describe("a mirror that reaches its quota, whose node is killed", () => {
  it("ends with what there was room for, goes on when there is more, and counts each blob once", async () => {
    await using source = await openOwnSource();
    const images = await Promise.all(
      Array.from({ length: 6 }, async () => buildImage({ layers: [await buildLayer({ a: randomBytes(20_000) })] })),
    );
    const wanted: Record<string, string> = {};
    for (const [number, image] of images.entries()) {
      await pushTo(source, image, `v${number}`);
      wanted[`v${number}`] = image.digest;
    }
    const parts = images.flatMap((image) => blobsOf(image).filter(({ digest }) => digest !== image.digest));
    const sizes = new Map(parts.map(({ digest, bytes }) => [digest, bytes.length]));
    const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    const room = Math.floor(total / 2);
    let blobs = 0;
    let restarting: Promise<void> | undefined;
    await using front = await startFront(`http://${source.host}`, {
      onRequest(method, path) {
        if (method === "GET" && path.includes("/blobs/") && ++blobs === 4) restarting = registry.process.restart();
      },
    });
    await makeOrganization("copied");
    await registry.call("PUT", "/organization/copied/robots/bot", {});
    const quota = "/organization/copied/quota";
    await registry.call("POST", quota, { limit_bytes: room });
    const [{ id }] = (await registry.call("GET", quota)) as [{ readonly id: string }];
    await registry.call("POST", `${quota}/${id}/limit`, { type: "Reject", threshold_percent: 100 });
    const mirror = "/repository/copied/app/mirror";
    const used = async () => {
      const { quota_report } = (await registry.call("GET", "/organization/copied")) as Organization;
      return quota_report.quota_bytes;
    };
    const state = async () => ((await registry.call("GET", mirror)) as { readonly sync_status: string }).sync_status;

    await registry.call("POST", mirror, {
      ...{ external_reference: `${new URL(front.url).host}/alice/app`, robot_username: "copied+bot" },
      ...{ sync_start_date: "2100-01-01T00:00:00Z", sync_interval: 86_400 },
      ...{
        external_registry_config: { verify_tls: false },
        root_rule: { rule_kind: "tag_glob_csv", rule_value: ["v*"] },
      },
    });
    await registry.call("POST", `${mirror}/sync-now`);
    await expect.poll(() => blobs >= 4).toBe(true);
    await restarting;
    await registry.process.listening();
    await expect.poll(state).toBe("FAIL");
    const [few, within] = [await tagsOf("copied/app"), await used()];
    await registry.call("PUT", `${quota}/${id}`, { limit_bytes: 10 * total });
    await registry.call("POST", `${mirror}/sync-now`);
    await expect.poll(state).toBe("SUCCESS");

    expect(Object.keys(few).length).toBeGreaterThan(0);
    expect(Object.keys(few).length).toBeLessThan(images.length);
    expect(within).toBeLessThanOrEqual(room);
    expect(await tagsOf("copied/app")).toEqual(wanted);
    expect(await used()).toBe(total);
  });
});

interface Organization {
  readonly quota_report: { readonly quota_bytes: number };
}

describe("a cache whose organization has a pull gate", () => {
  it("denies a child of an index by its digest, whether it or its index is pulled first", async () => {
    await using source = await openOwnSource();
    const [vulnerable, other] = [
      await debianImage(["openssl 3.0.11-1~deb12u1"]),
      await debianImage(["openssl 3.0.11-1~deb12u1", "zlib 1"]),
    ];
    const clean = await debianImage(["zlib 1"]);
    await pushTo(source, buildIndex([vulnerable, clean]), "v1");
    const later = buildIndex([other, clean]);
    await pushTo(source, later, "v2");
    await registry.call("POST", "/organization/", { name: "cached", email: "cached@example.com" });
    await registry.call("POST", "/organization/cached/proxycache", {
      upstream_registry: `${source.host}/alice`,
      insecure: true,
    });
    await registry.call("PUT", "/organization/cached/pullgate", { severity: "High", pending: "deny" });
    const pull = async (path: string) => {
      const answer = await fetch(`http://${registry.host}/v2/cached/app/${path}`, { headers: { authorization } });
      const body = await answer.text();
      return answer.ok ? "ok" : (JSON.parse(body) as Refusal).errors[0].message;
    };
    const child = (image: BuiltImage) => pull(`manifests/${image.digest}`);

    const first = await child(vulnerable);
    const layer = await pull(`blobs/${vulnerable.layers[0]?.digest}`);
    await expect.poll(() => child(vulnerable)).toMatch(/CVE-2024-0001/);
    const index = await pull(`manifests/v2`);
    const second = await child(other);
    await expect.poll(() => child(other)).toMatch(/CVE-2024-0001/);
    await child(clean);
    await expect.poll(() => child(clean)).toBe("ok");

    for (const refusal of [first, layer, index, second]) expect(refusal).toMatch(/still being brought in/);
    for (const { layers } of [vulnerable, other])
      for (const { digest } of layers.filter(({ digest }) => digest !== clean.layers[0]?.digest))
        expect(await pull(`blobs/${digest}`)).toMatch(/CVE-2024-0001/);
    expect(await pull(`blobs/${clean.layers[0]?.digest}`)).toBe("ok");
  });
});

interface Refusal {
  readonly errors: readonly [{ readonly message: string }];
}

describe("pruning in a repository with immutable, expiring and restored tags", () => {
  it("does what its preview says, and keeps what is immutable", async () => {
    await makeOrganization("pruned");
    const images = await Promise.all(Array.from({ length: 6 }, (_, number) => numberedImage(number)));
    for (const [number, image] of images.entries()) await push("pruned/app", image, `v${number}`);
    const tag = (number: number) => `/repository/pruned/app/tag/v${number}`;
    await registry.call("PUT", tag(0), { immutable: true });
    await registry.call("PUT", tag(5), { expiration: Math.floor(Date.now() / 1000) + 86_400 });
    const rule = { method: "number_of_tags", value: 2 };
    const policies = "/repository/pruned/app/autoprunepolicy/";
    const names = async () => Object.keys(await tagsOf("pruned/app")).sort();
    const staying = async () => {
      const { tags } = (await registry.call("GET", "/repository/pruned/app/autoprunepreview")) as Preview;
      return tags.flatMap(({ name, deleted }) => (deleted ? [] : [name])).sort();
    };

    const { uuid } = (await registry.call("POST", policies, rule)) as { readonly uuid: string };
    const first = await staying();
    await expect.poll(names).toEqual(first);
    await registry.call("POST", `${tag(2)}/restore`, { manifest_digest: images[2]?.digest });
    const restored = await names();
    await registry.call("PUT", tag(2), { immutable: true });
    const second = await staying();
    await registry.call("PUT", `${policies}${uuid}`, { ...rule, value: 1 });
    const third = await staying();
    await expect.poll(names).toEqual(third);

    expect([first, restored, second, third]).toEqual([
      ["v0", "v4", "v5"],
      ["v0", "v2", "v4", "v5"],
      ["v0", "v2", "v4", "v5"],
      ["v0", "v2", "v5"],
    ]);
    const soon = { expiration: Math.floor(Date.now() / 1000) + 60 };
    await expect(registry.call("PUT", tag(2), soon)).rejects.toThrow("Cannot expire immutable tag 'v2'");
    await expect(registry.call("DELETE", tag(0))).rejects.toThrow("409");
  });
});

interface Preview {
  readonly tags: readonly { readonly name: string; readonly deleted: boolean }[];
}

describe("tags that are restored while manifests are collected and tags are pruned", () => {
  it("are whole, or refused, or pruned", async () => {
    await makeOrganization("undone");
    await registry.call("PUT", "/organization/undone", { tag_expiration_s: 0 });
    const images = await Promise.all(Array.from({ length: 12 }, (_, number) => numberedImage(100 + number)));
    const path = "/repository/undone/app";
    const digests: Record<string, string> = {};
    for (const [number, image] of images.entries()) {
      await push("undone/app", image, `v${number}`);
      digests[`v${number}`] = image.digest;
      await registry.call("DELETE", `${path}/tag/v${number}`);
    }
    const client = new PushClient(`http://${registry.host}/v2/undone/app/`, registry.token);
    const restore = (name: string) =>
      registry.call("POST", `${path}/tag/${name}/restore`, { manifest_digest: digests[name] }).then(
        () => "restored",
        (error: Error) => /: (\d+) /.exec(error.message)?.[1] ?? error.message,
      );

    await registry.call("POST", "/superuser/garbage/collect");
    const results: Record<string, string> = {};
    for (const name of Object.keys(digests)) {
      results[name] = await restore(name);
      if (name === "v1")
        await registry.call("POST", `${path}/autoprunepolicy/`, { method: "number_of_tags", value: 1 });
    }
    const left = async () => Object.keys(await tagsOf("undone/app")).length;
    await expect.poll(left).toBeLessThan(2);
    await registry.call("POST", "/superuser/garbage/collect");
    const isCollecting = async () =>
      ((await registry.call("GET", "/superuser/garbage")) as Garbage).collecting !== null;
    await expect.poll(isCollecting).toBe(false);

    const active = await tagsOf("undone/app");
    for (const [name, digest] of Object.entries(active))
      expect([name, digest, await client.pull(name)]).toEqual([name, digests[name], digest]);
    const { logs } = (await registry.call("GET", `${path}/logs`)) as Logs;
    const pruned = logs.flatMap(({ kind, metadata }) => (kind === "autoprune_tag_delete" ? [metadata.tag] : []));
    const restored = Object.keys(results).filter((name) => results[name] === "restored");
    expect([...Object.keys(active), ...pruned].sort()).toEqual(restored.sort());
    expect(["restored", "404"]).toEqual(expect.arrayContaining(Object.values(results)));
  });
});

interface Garbage {
  readonly collecting: object | null;
}

interface Logs {
  readonly logs: readonly { readonly kind: string; readonly metadata: { readonly tag: string } }[];
}

describe("an import whose source changes while it runs", () => {
  it("says what is gone, takes the rest, and takes what came when it is run again", async () => {
    using own = tempFolder();
    await using source = await startRegistry(own.path);
    const organization = { name: "moving", email: "moving@example.com" };
    await source.call("POST", "/organization/", organization);
    const moved = await numberedImage(300);
    const at = (repository: string) => `http://${source.host}/v2/moving/${repository}`;
    for (const [number, repository] of ["app", "base", "core"].entries()) {
      for (const tag of [1, 2]) {
        const image = await numberedImage(400 + 10 * number + tag);
        await pushImage(at(repository), authorization, { image, reference: `v${tag}` });
      }
    }
    let names: readonly string[] = [];
    const change = async (read: string) => {
      names = [read, ...["app", "base", "core"].filter((name) => name !== read)];
      const [, gone, other = ""] = names;
      for (const each of [read, gone]) await source.call("DELETE", `/repository/moving/${each}`);
      await source.call("DELETE", `/repository/moving/${other}/tag/v1`);
      await pushImage(at(other), authorization, { image: moved, reference: "v2" });
      await pushImage(at("renamed"), authorization, { image: moved, reference: "v1" });
    };
    let changing: Promise<void> | undefined;
    await using front = await startFront(source.process.url, {
      onRequest(method, path) {
        const [, repository] = /^\/v2\/moving\/(\w+)\/blobs\//.exec(path) ?? [];
        if (method === "GET" && repository !== undefined) changing ??= change(repository);
        return changing;
      },
    });
    const tokenFile = own.write("token", `${source.token}\n`);
    const run = async () => {
      const store = ["--data", join(folder.path, "data"), "--database", join(folder.path, "registry.db")];
      const words = ["--token-file", tokenFile, "--namespace", "moving", "-o", "json", ...store];
      const env = { PLIMSOLL_SUPERUSERS: firstUser.username, PLIMSOLL_ALLOWED_INTERNAL_HOSTS: "127.0.0.1" };
      const ran = await runPlimsoll(["import", "registry", front.url, ...words], { env, now: Date.now() });
      const { entries } = JSON.parse(ran.stdout) as ImportReport;
      const said = entries.filter(({ outcome }) => outcome === "not taken").map(({ name, note }) => `${name}: ${note}`);
      return { code: ran.code, said: said.sort((a, b) => order(a) - order(b)) };
    };

    const [first, second] = [await run(), await run()];

    const [read, gone, other] = names;
    expect(first.code).toBe(1);
    expect(first.said).toEqual([
      expect.stringMatching(`^moving/${read}:v\\d: \\S+ has no blob sha256:`),
      expect.stringMatching(`^moving/${read}:v\\d: the tag v\\d is not there any more`),
      expect.stringMatching(`^moving/${gone}: is not there any more`),
    ]);
    expect(second).toEqual({ code: 0, said: [] });
    const taken = [read, other, "renamed"].map((repository) => tagsOf(`moving/${repository}`));
    expect(await Promise.all(taken)).toEqual([{}, { v2: moved.digest }, { v1: moved.digest }]);
  });
});

/** The blob that is not there first, then the tag, then the repository. */
function order(text: string): number {
  return ["has no blob", "the tag", ": is not there"].findIndex((part) => text.includes(part));
}

interface ImportReport {
  readonly entries: readonly { readonly name: string; readonly outcome: string; readonly note?: string }[];
}
