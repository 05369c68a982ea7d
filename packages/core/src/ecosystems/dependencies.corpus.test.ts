/** What the packaging systems' own tools say about this machine, beside what the engine says about the same files. A test is skipped where its tool is not there. */
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { OddMember } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
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
