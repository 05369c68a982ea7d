/** What the packaging systems' own tools say about this machine, beside what the engine says about the same files. A test is skipped where its tool is not there. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findCorpus, type OddMember } from "@plimsoll/testing";
import { afterAll, describe, expect, it } from "vitest";
import { fileOf, indexLayers } from "./language/fixtures/index-layers.ts";

/** What a tool writes; undefined where it is not there, or fails. */
function outputOf(tool: string, ...args: readonly string[]): string | undefined {
  try {
    return execFileSync(tool, args, {
      encoding: "utf8",
      maxBuffer: 256 * 1024 ** 2,
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, LC_ALL: "C" },
    });
  } catch {
    return undefined;
  }
}

/** The names of all packages of an image of these files. */
async function packagesIn(members: readonly OddMember[]): Promise<readonly string[]> {
  return Object.values((await indexLayers([members])).packages).map(({ name }) => name);
}

/** `name needs name` of all packages of an image of these files. */
async function edgesIn(members: readonly OddMember[]): Promise<ReadonlySet<string>> {
  const { packages, dependencies = {} } = await indexLayers([members]);
  const nameOf = (id: string) => packages[id]?.name.toLowerCase().replace(/[-_.]+/g, "-");
  const all = Object.entries(dependencies);
  return new Set(
    all.flatMap(([id, { packageIds }]) => packageIds.map((each) => `${nameOf(id)} needs ${nameOf(each)}`)),
  );
}

/** The dependencies of all distributions of an interpreter, whose markers hold for it, and which are installed, with the folder of each. */
const script = `
import importlib.metadata as m, json, re
from pip._vendor.packaging.requirements import Requirement
norm = lambda name: re.sub("[-_.]+", "-", name).lower()
all = {norm(d.metadata["Name"]): d for d in m.distributions()}
edges = sorted({norm(n) + " needs " + norm(r.name) for n, d in all.items() for r in map(Requirement, d.requires or [])
  if norm(r.name) in all and norm(r.name) != norm(n) and (r.marker is None or r.marker.evaluate({"extra": ""}))})
print(json.dumps({"edges": edges, "files": [str(d._path) for d in all.values()]}))
`;
const python: { edges: string[]; files: string[] } | undefined = parsed(outputOf("python3", "-c", script));

function parsed<T>(text: string | undefined): T | undefined {
  return text === undefined ? undefined : JSON.parse(text);
}

describe.skipIf(python === undefined)("dependencies of Python, or python3 with pip is not there", () => {
  it("are those that pip finds", async () => {
    const { edges = [], files = [] } = python ?? {};
    const version = outputOf("python3", "-c", "import sys; print('%d.%d' % sys.version_info[:2])")?.trim();
    const members = files
      .flatMap((folder) => globSync(`${folder}/{METADATA,PKG-INFO,requires.txt}`))
      .map((path) => {
        const place = path.split("/").slice(-2).join("/");
        return fileOf(`usr/lib/python${version}/site-packages/${place}`, readFileSync(path));
      });

    expect([...(await edgesIn(members))].sort()).toEqual(edges);
  });
});

const root = fileURLToPath(new URL("../../../..", import.meta.url));

interface NpmTree {
  /** What is optional and not there has none. */
  readonly version?: string;
  /** Only members of the workspace have it: their folders. */
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, NpmTree>>;
}
const npm: NpmTree | undefined = parsed(outputOf("npm", "ls", "--all", "--json", "--prefix", root));

function* edgesOf(from: string, { dependencies = {} }: NpmTree): Iterable<string> {
  for (const [name, each] of Object.entries(dependencies)) {
    if (each.version === undefined) continue;
    if (each.resolved === undefined && from !== "") yield `${from} needs ${name}`;
    yield* edgesOf(each.resolved === undefined ? name : "", each);
  }
}

describe.skipIf(npm === undefined)("dependencies of npm, or npm finds the tree incomplete or is not there", () => {
  it("are those that npm finds in this repository", async () => {
    const expected = [...new Set(edgesOf("", npm ?? {}))].map((edge) => edge.toLowerCase().replace(/[-_.]+/g, "-"));
    const files = globSync("node_modules/**/package.json", { cwd: root });
    const members = files.map((path) => fileOf(`app/${path}`, readFileSync(`${root}/${path}`)));

    const found = await edgesIn(members);

    expect(expected.length).toBeGreaterThan(100);
    expect(expected.filter((edge) => !found.has(edge))).toEqual([]);
  });
});

// of a version, else apt shows what the newest one needs
const versions = outputOf("dpkg-query", "-W", "-f", "${Package}=${Version} ${db:Status-Status}\n")
  ?.split("\n")
  .flatMap((line) => (line.endsWith(" installed") ? (line.split(" ", 1)[0] ?? []) : []));
const without = ["suggests", "conflicts", "breaks", "replaces", "enhances", "recommends"].map((each) => `--no-${each}`);
const apt = versions && outputOf("apt-cache", "depends", "--installed", ...without, ...versions);

/** The relations that only one package can meet: of a choice, and of a virtual package, apt does not say which one does. */
function edgesOfApt(text: string, installed: ReadonlySet<string>): readonly string[] {
  const edges: string[] = [];
  let from = "";
  let isChoice = false;
  for (const line of text.split("\n")) {
    const [, kind, name = ""] = /^( | {2}| \|)(?:Pre)?Depends: ([^\s<:]+)(?::\w+)?$/.exec(line) ?? [];
    if (/^\S/.test(line)) from = line.replace(/:.*/, "");
    else if (kind !== undefined && !isChoice && kind !== " |" && installed.has(name) && name !== from)
      edges.push(`${from} needs ${name}`);
    isChoice = kind === " |";
  }
  return edges;
}

describe.skipIf(apt === undefined)("dependencies of dpkg, or apt-cache is not there", () => {
  it("are those that apt finds", async () => {
    const edges = edgesOfApt(apt ?? "", new Set(versions?.map((each) => each.split("=", 1)[0] ?? ""))).map((edge) =>
      edge.toLowerCase().replace(/[-_.]+/g, "-"),
    );

    const found = await edgesIn([fileOf("var/lib/dpkg/status", readFileSync("/var/lib/dpkg/status"))]);

    expect(edges.length).toBeGreaterThan(10);
    expect(edges.filter((edge) => !found.has(edge))).toEqual([]);
  });
});

const corpus = findCorpus();
const folder = mkdtempSync(join(tmpdir(), "plimsoll-roots-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The files of an image for this machine's usual processor, in a folder; undefined where that fails. Its layers delete nothing. */
function rootOf(archive: string): string | undefined {
  const [blobs, root] = ["blobs", "root"].map((name) => join(folder, `${basename(archive)}-${name}`));
  if (blobs === undefined || root === undefined || !existsSync(archive)) return undefined;
  for (const each of [blobs, root]) mkdirSync(each, { recursive: true });
  if (outputOf("tar", "xf", archive, "-C", blobs) === undefined) return undefined;
  const read = (digest: string) => JSON.parse(readFileSync(join(blobs, "blobs", digest.replace(":", "/")), "utf8"));
  let document = JSON.parse(readFileSync(join(blobs, "index.json"), "utf8"));
  while (document.manifests !== undefined) {
    const all: readonly { digest: string; platform?: { architecture: string } }[] = document.manifests;
    document = read((all.find(({ platform }) => platform?.architecture === "amd64") ?? all[0])?.digest ?? "");
  }
  // tar fails where a layer replaces a folder, and extracts the rest
  for (const { digest } of document.layers)
    outputOf("tar", "xf", join(blobs, "blobs", digest.replace(":", "/")), "-C", root);
  return root;
}

const names = (edges: readonly string[]) => edges.map((edge) => edge.toLowerCase().replace(/[-_.]+/g, "-")).sort();

describe.skipIf(corpus === undefined || process.arch !== "x64")("dependencies of apk", () => {
  it("are those that the apk of an Alpine image finds", async () => {
    const image = "alpine-3.20.3-multiarch";
    const root = rootOf(`${corpus}/data/images/${image}/${image}.tar`) ?? "";
    const database = readFileSync(`${root}/lib/apk/db/installed`, "utf8");
    const packages = Array.from(database.matchAll(/^P:(.*)$/gm), ([, name = ""]) => name);
    const program = [`${root}/lib/ld-musl-x86_64.so.1`, "--library-path", `${root}/lib:${root}/usr/lib`];
    const [loader = "", ...before] = [...program, `${root}/sbin/apk`, "--root", root, "--no-network"];
    const text = outputOf(loader, ...before, "info", "-r", ...packages) ?? "";
    const nameOf = (line: string) => line.replace(/-\d[^-]*-r\d+$/, "");
    const edges: string[] = [];
    let needed = "";
    for (const line of text.split("\n")) {
      const [, of] = /^(.*) is required by:$/.exec(line) ?? [];
      if (of !== undefined) needed = nameOf(of);
      else if (line !== "") edges.push(`${nameOf(line)} needs ${needed}`);
    }

    const found = await edgesIn([fileOf("lib/apk/db/installed", database)]);

    expect(edges.length).toBeGreaterThan(10);
    expect([...found].sort()).toEqual(names(edges));
  });
});

const rpm = outputOf("rpm", "--version");

describe.skipIf(corpus === undefined || rpm === undefined)("dependencies of rpm, or rpm is not there", () => {
  it.each(["cbl-mariner-2.0-sqlite-wal", "ubi8-2019-bdb"])("are those that rpm finds in %s", async (name) => {
    const given = `${corpus}/data/packagedbs/rpm/${name}`;
    const files = readdirSync(given).filter((each) => each !== "expected.json");
    const database = join(folder, name);
    cpSync(given, database, { recursive: true });
    const ask = (...words: readonly string[]) => outputOf("rpm", "--dbpath", database, ...words) ?? "";
    ask("--rebuilddb"); // makes indexes, which Berkeley's database keeps in files of their own
    const pairs = (format: string) =>
      ask("-qa", "--qf", format)
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => line.split("\t") as [string, string]);
    const nameOf = new Map(["%{NVRA}", "%{NEVRA}"].flatMap((whole) => pairs(`${whole}\t%{NAME}\n`)));
    const needed = new Set<string>();
    for (const of of new Set(nameOf.values())) {
      const { stderr } = spawnSync("rpm", ["--dbpath", database, "-e", "--test", of], { encoding: "utf8" });
      for (const [, by = ""] of stderr.matchAll(/ is needed by \(installed\) (\S+)$/gm))
        needed.add(`${nameOf.get(by)} needs ${of}`);
    }
    const listed = (tag: string) => pairs(`[%{=NAME}\t%{${tag}}\n]`);
    const provided = new Set([...listed("PROVIDENAME"), ...listed("FILENAMES")].map((each) => each.join("\t")));
    const required = Map.groupBy([...listed("REQUIRENAME"), ...listed("RECOMMENDNAME")], ([of]) => of);

    const found = await edgesIn(files.map((each) => fileOf(`var/lib/rpm/${each}`, readFileSync(join(given, each)))));

    const isStated = (edge: string) => {
      const [of = "", other = ""] = edge.split(" needs ");
      return required.get(of)?.some(([, capability]) => provided.has(`${other}\t${capability}`)) ?? false;
    };
    const spelled = new Map([...nameOf.values()].map((each) => [each.toLowerCase().replace(/[-_.]+/g, "-"), each]));
    const own = [...found].map((edge) => edge.replace(/\S+/g, (word) => spelled.get(word) ?? word));
    expect(needed.size).toBeGreaterThan(100);
    expect([...needed].filter((edge) => !own.includes(edge)).sort()).toEqual([]);
    expect(own.filter((edge) => !isStated(edge)).sort()).toEqual([]);
  });
});

const webImage =
  process.env.PLIMSOLL_TEST_IMAGES === undefined ? "" : `${process.env.PLIMSOLL_TEST_IMAGES}/debian-bookworm-web.tar`;

describe.skipIf(!existsSync(webImage) || process.getuid?.() !== 0)("dependencies of gems", () => {
  it("are those that the gem of a Debian image finds", async () => {
    const root = rootOf(webImage) ?? "";
    const text = outputOf("chroot", root, "/usr/bin/gem", "dependency", "--local") ?? "";
    const stated: string[] = [];
    let from = "";
    for (const line of text.split("\n")) {
      const [, gem] = /^Gem (.*)-\d[^-]*$/.exec(line) ?? [];
      const [, needed, bounds = ""] = /^ {2}(\S+) \((.*)\)$/.exec(line) ?? [];
      if (gem !== undefined) from = gem;
      else if (needed !== undefined && !bounds.endsWith(", development")) stated.push(`${from} needs ${needed}`);
    }
    const paths = globSync("**/specifications/**/*.gemspec", { cwd: root });

    const members = paths.map((path) => fileOf(path, readFileSync(join(root, path))));
    const gems = new Set((await packagesIn(members)).map((name) => name.toLowerCase().replace(/[-_.]+/g, "-")));
    const found = [...(await edgesIn(members))];

    expect(stated.length).toBeGreaterThan(5);
    expect(found.sort()).toEqual(
      [...new Set(names(stated))].filter((edge) => gems.has(edge.split(" needs ")[1] ?? "")),
    );
  });
});
