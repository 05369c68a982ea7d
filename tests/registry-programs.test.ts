/** The registry as podman, docker, containerd's ctr, crane, oras and regctl use it, where they are installed, by plain HTTP. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { index, parseSource } from "@plimsoll/scanner";
import { noLongTests, packTree, skipNote } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import { crane } from "./support/clients/crane.ts";
import { ctr } from "./support/clients/ctr.ts";
import { docker } from "./support/clients/docker.ts";
import { oras } from "./support/clients/oras.ts";
import { podman } from "./support/clients/podman.ts";
import { regctl } from "./support/clients/regctl.ts";
import type { RegistryClient } from "./support/clients/registry-client.ts";
import { logins } from "./support/registry-logins.ts";
import { firstUser, type RegistryProcess, startRegistry } from "./support/registry-process.ts";
import { debianImage, writeLayout } from "./support/sample-image.ts";
import { type TempFolder, tempFolder } from "./support/temp-folder.ts";

const registryClients = { podman, docker, ctr, crane, oras, regctl } as const;
const patienceMs = 60_000;
const image = await debianImage(["openssl 3.0.11-1~deb12u1"]);
const archive = await packTree({ "etc/motd": "hello" });

let folder: TempFolder;
let registry: RegistryProcess;
beforeAll(async () => {
  folder = tempFolder();
  folder.write("layer.tar", archive);
  writeLayout(folder, { app: image });
  registry = await startRegistry(folder.path);
}, patienceMs);
afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const at = (reference: string) => `${registry.host}/${firstUser.username}/${reference}`;
const owner = { username: firstUser.username, secret: firstUser.password };

async function tagsOf(repository: string): Promise<readonly { readonly name: string }[]> {
  const path = `/repository/${firstUser.username}/${repository}/tag/?onlyActiveTags=true`;
  return ((await registry.call("GET", path)) as { readonly tags: readonly { readonly name: string }[] }).tags;
}

/** Of the programs that ask the registry on login; others store what they are given. */
const tellsOfWrongPassword: Readonly<Record<string, Story>> = {
  "is told that a password is wrong": async ({ login }) => {
    const { code, stderr } = await login({ username: "mallory", secret: "wrong-horse" });

    expect(code).not.toBe(0);
    expect(stderr).toMatch(/invalid username.*password/i);
  },
};

/** What only some of them do, after `REPOSITORY:1` was pushed to one of its name. */
const stories: Readonly<Record<keyof typeof registryClients, Readonly<Record<string, Story>>>> = {
  podman: {
    ...tellsOfWrongPassword,
    "makes a list of images, and searches": async ({ run }) => {
      await run("manifest", "create", "list");
      await run("manifest", "add", "--tls-verify=false", "list", `docker://${at("podman:1")}`);
      await run("manifest", "push", "--all", "--tls-verify=false", "list", `docker://${at("podman:list")}`);
      const search = ["search", "--tls-verify=false", "--format", "{{.Name}}"];

      expect(await tagsOf("podman")).toMatchObject([{ name: "list", is_manifest_list: true }, { name: "1" }]);
      expect((await run(...search, `${registry.host}/podman`)).split("\n")).toContain(at("podman"));
      expect((await run(...search, `${registry.host}/missing`)).trim()).toBe("");
      expect(await run("search", "--tls-verify=false", "--list-tags", at("podman"))).toMatch(/ 1\s.* list\s/s);
    },
  },
  docker: {
    ...tellsOfWrongPassword,
    "makes a list of images, and inspects it": async ({ run }) => {
      await run("manifest", "create", "--insecure", at("docker:list"), at("docker:1"));
      await run("manifest", "push", "--insecure", at("docker:list"));

      expect(await tagsOf("docker")).toMatchObject([{ name: "list", is_manifest_list: true }, { name: "1" }]);
      const list = JSON.parse(await run("manifest", "inspect", "--insecure", at("docker:list")));
      expect(list.manifests).toMatchObject([{ digest: expect.stringContaining("sha256:") }]);
    },
  },
  ctr: {
    "gives a scan what it pulled": async ({ pull, address = "" }) => {
      const digest = await pull(at("ctr:1"));
      const source = await parseSource(`containerd:${at("ctr:1")}`, {
        engines: { find: async () => ({ kind: "socket", path: address }) },
      });

      const { report } = await index(source);
      expect(report.manifestDigest).toBe(digest);
      expect(Object.values(report.packages).map(({ name }) => name)).toContain("openssl");
    },
  },
  crane: {
    "tags, copies, indexes, lists and deletes": async ({ run }) => {
      const digest = (await run("digest", at("crane:1"))).trim();
      await run("tag", at("crane:1"), "latest");
      await run("copy", "--all-tags", at("crane"), at("crane-copy"));
      await run("index", "append", "--manifest", at("crane:1"), "--tag", at("crane:index"));
      await run("index", "filter", at("crane:index"), "--platform", "plan9/mips", "--tag", at("crane:nothing"));

      expect(await run("ls", at("crane-copy"))).toBe("1\nlatest\n");
      expect(await run("catalog", registry.host)).toMatch(/^alice\/crane$/m);
      expect(JSON.parse(await run("manifest", at("crane:index"))).manifests).toMatchObject([{ digest }]);
      await run("validate", "--remote", at("crane-copy:1"));
      await run("delete", at("crane-copy:latest"));
      expect(await run("ls", at("crane-copy"))).toBe("1\n");
      await run("delete", at(`crane-copy@${digest}`));
      await expect(run("digest", at("crane-copy:1"))).rejects.toThrow("MANIFEST_UNKNOWN");
    },
  },
  oras: {
    ...tellsOfWrongPassword,
    "attaches, discovers, and copies what refers to an image with it": async ({ run }) => {
      const plain = ["--plain-http", "--disable-path-validation"];
      const [sbom, signature] = [folder.write("sbom.json", "{}"), folder.write("signature", "x")];
      const attach = async (type: string, file: string, ...words: readonly string[]) =>
        run("attach", ...plain, "--artifact-type", type, ...words, at("oras:1"), file);
      await attach("application/spdx+json", sbom, "--annotation", "by=oras");
      await attach("application/x.signature", signature);
      await run("cp", "--recursive", "--from-plain-http", "--to-plain-http", at("oras:1"), at("oras-copy:1"));

      for (const name of ["oras:1", "oras-copy:1"]) {
        const { referrers } = JSON.parse(await run("discover", "--plain-http", "--format", "json", at(name)));
        const types = referrers.map(({ artifactType }: { artifactType: string }) => artifactType).sort();
        expect(types).toEqual(["application/spdx+json", "application/x.signature"]);
      }
      expect(await run("repo", "ls", "--plain-http", registry.host)).toMatch(/^alice\/oras$/m);
      expect(await run("repo", "tags", "--plain-http", at("oras"))).toBe("1\n");
      await run("manifest", "delete", "--plain-http", "--force", at("oras-copy:1"));
      await expect(run("repo", "tags", "--plain-http", at("oras-copy"))).resolves.toBe("");
    },
  },
  regctl: {
    "attaches, lists and deletes": async ({ run }) => {
      const file = folder.write("statement", "x");
      await run("artifact", "put", "--artifact-type", "application/x", "--subject", at("regctl:1"), "--file", file);
      const filter = ["--filter-artifact-type", "application/x"];

      expect(await run("artifact", "get", "--subject", at("regctl:1"), ...filter)).toBe("x");
      expect(await run("repo", "ls", registry.host)).toMatch(/^alice\/regctl$/m);
      await run("tag", "delete", at("regctl:1"));
      expect(await run("tag", "ls", at("regctl"))).toBe("");
    },
  },
};

type Story = (client: RegistryClient) => Promise<void>;

describe.each(Object.entries(registryClients))(`%s${skipNote(noLongTests)}`, (name, { whyNot, open }) => {
  let place: TempFolder;
  let opened: Awaited<ReturnType<typeof open>> | undefined;
  let why = noLongTests ?? whyNot();
  beforeAll(async () => {
    place = tempFolder();
    const files = {
      scheme: "http",
      env: {},
      archive: join(folder.path, "layer.tar"),
      layout: join(folder.path, "layout"),
    } as const;
    if (why === undefined) {
      opened = await open({ folder: place, host: registry.host, ...files }).catch((error: Error) => {
        why = error.message; // dockerd needs rights that not every machine gives
        return undefined;
      });
    }
  }, patienceMs);
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
    place[Symbol.dispose]();
  });
  const clientOr = (skip: TestContext["skip"]) => opened ?? skip(why);

  it.for(Object.keys(logins).map((title, number) => ({ title, number })))(
    "pushes and pulls with $title, and without any only what is public",
    { timeout: patienceMs },
    async ({ title, number }, { skip }) => {
      const client = clientOr(skip);
      const repository = `${name}-${number}`;
      const login = (await logins[title]?.(registry, [repository])) ?? owner;

      expect(await client.login(login)).toMatchObject({ code: 0 });
      await client.push(at(`${repository}:1`));
      const pulled = await client.pull(at(`${repository}:1`));
      await client.logout();

      expect(await tagsOf(repository)).toMatchObject([{ name: "1", manifest_digest: pulled }]);
      await expect(client.pull(at(`${repository}:1`))).rejects.toThrow(/unauthorized|access denied/i);
      await registry.call("POST", `/repository/alice/${repository}/changevisibility`, { visibility: "public" });
      expect(await client.pull(at(`${repository}:1`))).toBe(pulled);
    },
  );

  it("heals an image whose layer is lost by pushing it again", { timeout: patienceMs }, async ({ skip }) => {
    const client = clientOr(skip);
    const image = `${name}-lost`;
    await client.login(owner);
    await client.push(at(`${image}:1`));
    const ask = (path: string) =>
      fetch(`http://${registry.host}/v2/alice/${image}/${path}`, {
        headers: { authorization: `Basic ${btoa(`$oauthtoken:${registry.token}`)}` },
      });
    const manifest = (await (await ask("manifests/1")).json()) as { readonly layers: readonly { digest: string }[] };
    const digest = manifest.layers.at(-1)?.digest ?? "";
    rmSync(join(folder.path, "data/blobs/blobs/sha256", digest.slice(7, 9), digest.slice(7)));
    await ask(`blobs/${digest}`); // whoever pulls finds it
    await expect.poll(async () => (await ask(`blobs/${digest}`)).status).toBe(404);

    await client.push(at(`${image}:1`));

    expect(await client.pull(at(`${image}:1`))).toMatch(/^sha256:/);
  });

  it.for(Object.entries(stories[name as keyof typeof stories]))(
    "%s",
    { timeout: patienceMs },
    async ([, tell], { skip }) => {
      const client = clientOr(skip);
      await client.login(owner);
      await client.push(at(`${name}:1`));

      await tell(client);
    },
  );
});
