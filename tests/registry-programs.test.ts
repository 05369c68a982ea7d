/** The registry as podman, docker, crane and oras use it, where they are installed, by plain HTTP. */
import { join } from "node:path";
import { ociLayoutTree, packTree } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RegistryClient, registryClients } from "./support/registry-clients.ts";
import { logins } from "./support/registry-logins.ts";
import { firstUser, type RegistryProcess, startRegistry } from "./support/registry-process.ts";
import { debianImage } from "./support/sample-image.ts";
import { type TempFolder, tempFolder } from "./support/temp-folder.ts";

const patienceMs = 60_000;
const image = await debianImage(["openssl 3.0.11-1~deb12u1"]);
const archive = await packTree({ "etc/motd": "hello" });

let folder: TempFolder;
let registry: RegistryProcess;
beforeAll(async () => {
  folder = tempFolder();
  folder.write("layer.tar", archive);
  for (const [path, content] of Object.entries(ociLayoutTree({ app: image }))) {
    if (typeof content === "string" || content instanceof Uint8Array) folder.write(join("layout", path), content);
  }
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

/** What only one of them does, after `REPOSITORY:1` was pushed to one of its name. */
const stories: Readonly<Record<keyof typeof registryClients, Readonly<Record<string, Story>>>> = {
  podman: {
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
    "makes a list of images, and inspects it": async ({ run }) => {
      await run("manifest", "create", "--insecure", at("docker:list"), at("docker:1"));
      await run("manifest", "push", "--insecure", at("docker:list"));

      expect(await tagsOf("docker")).toMatchObject([{ name: "list", is_manifest_list: true }, { name: "1" }]);
      const list = JSON.parse(await run("manifest", "inspect", "--insecure", at("docker:list")));
      expect(list.manifests).toMatchObject([{ digest: expect.stringContaining("sha256:") }]);
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
    "attaches, discovers, and copies what refers to an image with it": async ({ run }) => {
      const plain = ["--plain-http", "--disable-path-validation"];
      const [sbom, signature] = [folder.write("sbom.json", "{}"), folder.write("signature", "x")];
      const attach = async (type: string, file: string, ...words: readonly string[]) =>
        run("attach", ...plain, "--artifact-type", type, ...words, at("oras:1"), file);
      await attach("application/spdx+json", sbom, "--annotation", "by=oras");
      await attach("application/x.signature", signature);
      await run("cp", "--recursive", "--from-plain-http", "--to-plain-http", at("oras:1"), at("oras-copy:1"));

      for (const name of ["oras:1", "oras-copy:1"]) {
        const { manifests } = JSON.parse(await run("discover", "--plain-http", "--format", "json", at(name)));
        const types = manifests.map(({ artifactType }: { artifactType: string }) => artifactType).sort();
        expect(types).toEqual(["application/spdx+json", "application/x.signature"]);
      }
      expect(await run("repo", "ls", "--plain-http", registry.host)).toMatch(/^alice\/oras$/m);
      expect(await run("repo", "tags", "--plain-http", at("oras"))).toBe("1\n");
      await run("manifest", "delete", "--plain-http", "--force", at("oras-copy:1"));
      await expect(run("repo", "tags", "--plain-http", at("oras-copy"))).resolves.toBe("");
    },
  },
};

type Story = (client: RegistryClient) => Promise<void>;

describe.each(Object.entries(registryClients))("%s", (name, { skip, open }) => {
  let place: TempFolder;
  let client: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    if (skip !== undefined) return;
    place = tempFolder();
    const files = { archive: join(folder.path, "layer.tar"), layout: join(folder.path, "layout") };
    client = await open({ folder: place, host: registry.host, ...files });
  }, patienceMs);
  afterAll(async () => {
    await client?.[Symbol.asyncDispose]();
    place?.[Symbol.dispose]();
  });
  const orSkipped = skip === undefined ? "" : ` (skipped: ${skip})`;

  it.skipIf(skip !== undefined).each(Object.keys(logins).map((title, number) => ({ title, number })))(
    `pushes and pulls with $title, until it signs out${orSkipped}`,
    async ({ title, number }) => {
      const repository = `${name}-${number}`;
      const login = (await logins[title]?.(registry, [repository])) ?? owner;

      expect(await client.login(login)).toMatchObject({ code: 0 });
      await client.push(at(`${repository}:1`));
      const pulled = await client.pull(at(`${repository}:1`));
      await client.logout();

      expect(await tagsOf(repository)).toMatchObject([{ name: "1", manifest_digest: pulled }]);
      await expect(client.pull(at(`${repository}:1`))).rejects.toThrow(/unauthorized|access denied/i);
    },
    patienceMs,
  );

  // crane asks nobody before it stores what it is given.
  it.skipIf(skip !== undefined || name === "crane")("is told that a password is wrong", async () => {
    const { code, stderr } = await client.login({ username: "mallory", secret: "wrong-horse" });

    expect(code).not.toBe(0);
    expect(stderr).toMatch(/invalid username.*password/i);
  });

  it.skipIf(skip !== undefined).each(Object.entries(stories[name as keyof typeof stories]))(
    `%s${orSkipped}`,
    async (_title, tell) => {
      await client.login(owner);
      await client.push(at(`${name}:1`));

      await tell(client);
    },
    patienceMs,
  );
});
