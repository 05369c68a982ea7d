/** The registry as clients of others use it: skopeo and buildah, where they are installed, and plain HTTP. */
import { join } from "node:path";
import { buildImage, buildIndex, buildLayer, digestOf, skipNote } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isInstalled, outputOf, runProgram } from "./support/client-program.ts";
import { logins } from "./support/registry-logins.ts";
import { firstUser, type RegistryProcess, startRegistry } from "./support/registry-process.ts";
import { debianImage, writeLayout } from "./support/sample-image.ts";
import { type TempFolder, tempFolder } from "./support/temp-folder.ts";

const patienceMs = 120_000;
const hasSkopeo = isInstalled("skopeo");
const hasBuildah = isInstalled("buildah") && process.getuid?.() === 0; // its store has files of other users
const titleOf = (program: string, { isHere }: { readonly isHere: boolean }) =>
  program + skipNote(isHere ? undefined : "it is not installed");

const image = await debianImage(["openssl 3.0.11-1~deb12u1"], ["zlib1g 1:1.2.13 zlib"]);
const platforms = await Promise.all(
  ["amd64", "arm64"].map(async (architecture) =>
    buildImage({
      layers: [await buildLayer({ "etc/arch": architecture }), await buildLayer({ "etc/own": "x" }, "zstd")],
      platform: { os: "linux", architecture },
    }),
  ),
);
const index = buildIndex(platforms);

let folder: TempFolder;
let registry: RegistryProcess;
/** An OCI layout with both. */
let layout: string;

beforeAll(async () => {
  folder = tempFolder();
  writeLayout(folder, { app: image, multi: index });
  layout = `oci:${join(folder.path, "layout")}`;
  registry = await startRegistry(folder.path);
}, patienceMs);

afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const at = (path: string) => `docker://${registry.host}/${path}`;

describe.skipIf(!hasSkopeo)(titleOf("skopeo", { isHere: hasSkopeo }), () => {
  const skopeo = (...words: readonly string[]) => outputOf("skopeo", ["--insecure-policy", ...words]);
  const open = (login: string) => ["--tls-verify=false", "--creds", login];
  const copying = (login: string) =>
    ["src", "dest"].flatMap((end) => [`--${end}-tls-verify=false`, `--${end}-creds`, login]);
  const tagsOf = async (login: string, repository: string) =>
    JSON.parse(await skopeo("list-tags", ...open(login), at(repository))).Tags;

  it.each(Object.keys(logins).map((name, number) => ({ name, number })))(
    "pushes, lists, inspects, copies, pulls and deletes with $name",
    async ({ name, number }) => {
      const [app, copy] = [`app-${number}`, `copy-${number}`];
      const made = await logins[name]?.(registry, [app, copy]);
      const login = `${made?.username}:${made?.secret}`;
      const [pushed, copied] = [`alice/${app}`, `alice/${copy}`];

      await skopeo("copy", "--dest-tls-verify=false", "--dest-creds", login, `${layout}:app`, at(`${pushed}:1.0`));
      await skopeo("copy", ...copying(login), at(`${pushed}:1.0`), at(`${pushed}:latest`));
      await skopeo("copy", ...copying(login), at(`${pushed}:1.0`), at(`${copied}:1.0`));
      expect(await tagsOf(login, pushed)).toEqual(["1.0", "latest"]);
      expect(JSON.parse(await skopeo("inspect", ...open(login), at(`${copied}:1.0`)))).toMatchObject({
        Digest: image.digest,
        Architecture: "amd64",
        Layers: image.layers.map(({ digest }) => digest),
      });
      expect(await pull(login, `${copied}:1.0`)).toBe(image.digest);

      await skopeo("delete", ...open(login), at(`${pushed}:1.0`));

      expect(await tagsOf(login, pushed)).toEqual([]); // both named the manifest that was deleted
      expect(await pull(login, `${copied}:1.0`)).toBe(image.digest);
    },
    patienceMs,
  );

  /** Pulls into a new folder; skopeo checks the digests. @returns that of the manifest */
  async function pull(login: string, path: string, ...words: readonly string[]): Promise<string> {
    using place = tempFolder();
    const source = ["--src-tls-verify=false", "--src-creds", login];
    await skopeo("copy", ...words, ...source, at(path), `oci:${join(place.path, "pulled")}:it`);
    return digestOf(Buffer.from(await skopeo("inspect", "--raw", `oci:${join(place.path, "pulled")}:it`)));
  }

  it("mounts what another repository has", async () => {
    const login = `${firstUser.username}:${firstUser.password}`;
    await skopeo("copy", "--dest-tls-verify=false", "--dest-creds", login, `${layout}:app`, at("alice/source:1"));

    const words = ["--insecure-policy", "--debug", "copy", ...copying(login)];
    const { stderr } = await runProgram("skopeo", [...words, at("alice/source:1"), at("alice/mounted:1")]);

    expect(stderr.match(/mount OK/g)).toHaveLength(image.layers.length);
    expect(await pull(login, "alice/mounted:1")).toBe(image.digest);
  });

  it("pushes an image of several platforms, and pulls all or one of them", async () => {
    const login = `${firstUser.username}:${firstUser.password}`;
    const source = ["--dest-tls-verify=false", "--dest-creds", login, `${layout}:multi`];
    await skopeo("copy", "--all", ...source, at("alice/multi:1"));

    expect(digestOf(Buffer.from(await skopeo("inspect", "--raw", ...open(login), at("alice/multi:1"))))).toBe(
      index.digest,
    );
    expect(await pull(login, "alice/multi:1", "--all")).toBe(index.digest);
    const arm = JSON.parse(await skopeo("--override-arch", "arm64", "inspect", ...open(login), at("alice/multi:1")));
    expect(arm).toMatchObject({ Architecture: "arm64", Layers: platforms[1]?.layers.map(({ digest }) => digest) });
  });

  it("is refused with a wrong password, and what is private without any", async () => {
    const wrong = await runProgram("skopeo", ["list-tags", ...open("alice:wrong-horse"), at("alice/app-0")]);
    const anonymous = await runProgram("skopeo", ["list-tags", "--tls-verify=false", "--no-creds", at("alice/app-0")]);

    expect([wrong.code, anonymous.code]).toEqual([1, 1]);
    expect(wrong.stderr).toContain("Invalid username or password");
    expect(anonymous.stderr).toMatch(/unauthorized|authentication required/);
  });
});

describe.skipIf(!hasBuildah)(titleOf("buildah", { isHere: hasBuildah }), () => {
  let work: TempFolder;
  let store: readonly string[];
  beforeAll(() => {
    work = tempFolder();
    work.write("policy.json", JSON.stringify({ default: [{ type: "insecureAcceptAnything" }] }));
    work.write("file", "content");
    work.write("Dockerfile", `FROM ${registry.host}/alice/built:1\nCOPY file /second\n`);
    const [root, run] = [join(work.path, "root"), join(work.path, "run")];
    store = ["--root", root, "--runroot", run, "--storage-driver", "vfs"];
  });
  afterAll(() => work[Symbol.dispose]());

  const buildah = (command: string, ...words: readonly string[]) => outputOf("buildah", [...store, command, ...words]);
  const open = () => ["--tls-verify=false", "--creds", `${firstUser.username}:${firstUser.password}`];
  const policy = () => ["--signature-policy", join(work.path, "policy.json")];
  const image = (name: string) => `${registry.host}/alice/${name}`;

  it(
    "builds from nothing, pushes, and builds from what it has pushed",
    async () => {
      await buildah("from", "--name", "work", "scratch");
      await buildah("copy", "work", join(work.path, "file"), "/first");
      await buildah("commit", ...policy(), "work", "built");
      await buildah("push", ...policy(), ...open(), "built", at("alice/built:1"));
      await buildah("rmi", "--all", "--force");

      const build = ["--isolation", "chroot", "--tag", image("built:2"), work.path];
      await buildah("bud", "--pull", ...policy(), ...open(), ...build);
      await buildah("push", ...policy(), ...open(), image("built:2"));

      expect(await tags("built")).toEqual(["1", "2"]);
      await buildah("rmi", "--all", "--force");
      const pulled = (await buildah("pull", "--quiet", ...policy(), ...open(), image("built:2"))).trim();
      const { FromImageDigest, OCIv1 } = JSON.parse(await buildah("inspect", "--type", "image", pulled));
      expect(FromImageDigest).toBe((await tagOf("built", "2"))?.manifest_digest);
      expect(OCIv1.rootfs.diff_ids).toHaveLength(2);
    },
    patienceMs,
  );

  it(
    "makes a list of images and pushes it whole",
    async () => {
      await buildah("manifest", "create", "list");
      await buildah("manifest", "add", ...open(), "list", at("alice/built:1"));
      await buildah("manifest", "push", "--all", ...policy(), ...open(), "list", at("alice/list:1"));

      expect(await tags("list")).toEqual(["1"]);
      expect(await tagOf("list", "1")).toMatchObject({ is_manifest_list: true });
    },
    patienceMs,
  );
});

interface ShownTag {
  readonly name: string;
  readonly manifest_digest: string;
}

async function shownTags(repository: string): Promise<readonly ShownTag[]> {
  const path = `/repository/${firstUser.username}/${repository}/tag/?onlyActiveTags=true`;
  return ((await registry.call("GET", path)) as { readonly tags: readonly ShownTag[] }).tags;
}

async function tags(repository: string): Promise<readonly string[]> {
  return (await shownTags(repository)).map(({ name }) => name).sort();
}

async function tagOf(repository: string, name: string): Promise<ShownTag | undefined> {
  return (await shownTags(repository)).find((tag) => tag.name === name);
}

describe("a client of plain HTTP", () => {
  const authorization = `Basic ${btoa(`${firstUser.username}:${firstUser.password}`)}`;
  const ask = (path: string, init: RequestInit & { duplex?: "half" } = {}) =>
    fetch(`http://${registry.host}/v2/alice/artifacts${path}`, {
      ...init,
      headers: { authorization, ...(init.headers as object) },
    });

  it("attaches an artifact to an image and finds it there", async () => {
    const body = Buffer.from(JSON.stringify({ spdxVersion: "SPDX-2.3" }));
    const empty = Buffer.from("{}");
    for (const bytes of [body, empty]) {
      const { status } = await ask(`/blobs/uploads/?digest=${digestOf(bytes)}`, { method: "POST", body: bytes });
      expect(status).toBe(201);
    }
    const ofOci = "application/vnd.oci.image.manifest.v1+json";
    const describe = (bytes: Uint8Array, mediaType: string) => ({
      mediaType,
      digest: digestOf(bytes),
      size: bytes.length,
    });
    const artifact = JSON.stringify({
      schemaVersion: 2,
      mediaType: ofOci,
      artifactType: "application/spdx+json",
      config: describe(empty, "application/vnd.oci.empty.v1+json"),
      layers: [describe(body, "application/spdx+json")],
      subject: { mediaType: ofOci, digest: image.digest, size: image.bytes.length },
    });
    const digest = digestOf(Buffer.from(artifact));

    const put = await ask(`/manifests/${digest}`, {
      method: "PUT",
      body: artifact,
      headers: { "content-type": ofOci },
    });
    const listed = await ask(`/referrers/${image.digest}?artifactType=application%2Fspdx%2Bjson`);
    const pulled = await ask(`/blobs/${digestOf(body)}`);

    expect([put.status, put.headers.get("oci-subject")]).toEqual([201, image.digest]);
    expect(await listed.json()).toMatchObject({ manifests: [{ digest, artifactType: "application/spdx+json" }] });
    expect(Buffer.from(await pulled.arrayBuffer())).toEqual(body);
  });
});
