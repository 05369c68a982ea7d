/** Packs the published packages, checks the tarballs, and creates a project with them alone. */
import { execFileSync, spawnSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/** The used parts of a `package.json`. */
export interface PackageManifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** A package with its tarball. */
export interface PackedPackage {
  readonly manifest: PackageManifest;
  /** Its folder in the repository. */
  readonly folder: string;
  readonly tarball: string;
}

/** Packs every package that is not private. */
export function packPackages(destination: string): readonly PackedPackage[] {
  return globSync("packages/*/package.json")
    .sort()
    .map((path) => ({ folder: dirname(path), manifest: JSON.parse(readFileSync(path, "utf8")) as PackageManifest }))
    .filter(({ manifest }) => manifest.private !== true)
    .map((each) => {
      const how = { cwd: each.folder, encoding: "utf8" as const };
      const name = execFileSync(
        "npm",
        ["pack", "--silent", "--offline", "--pack-destination", destination],
        how,
      ).trim();
      return { ...each, tarball: join(destination, name) };
    });
}

const legal = ["package/LICENSE", "package/README.md", "package/THIRD-PARTY-NOTICES.md"];

/** The problems of a tarball: missing or unwanted files, and the findings of publint and attw. */
export async function checkTarball({ manifest: { name }, tarball }: PackedPackage): Promise<string[]> {
  const files = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" }).trim().split("\n");
  const texts = execFileSync("tar", ["-xOzf", tarball], { encoding: "utf8", maxBuffer: 2 ** 30 });
  return [
    ...legal.filter((file) => !files.includes(file)).map((file) => `${name} has no ${file}`),
    ...files.filter((file) => /\.tsbuildinfo$|\.test\./.test(file)).map((file) => `${name} has ${file}`),
    ...(texts.includes(process.cwd()) ? [`${name} names a path of this machine`] : []),
    ...(await publishProblems(name, tarball)),
    ...judge(name, "attw", [tarball, "--profile", "esm-only", "--no-emoji", "--no-color"]),
  ];
}

/** The condition `plimsoll-source` is for this repository: no package has its sources. */
async function publishProblems(name: string, tarball: string): Promise<string[]> {
  const { messages, pkg } = await publint({
    pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer },
    strict: true,
  });
  return messages
    .filter(({ path }) => !path.includes("plimsoll-source"))
    .map((message) => `${name}: publint: ${formatMessage(message, pkg ?? {})}`);
}

function judge(name: string, tool: string, words: readonly string[]): string[] {
  const { status, stdout, stderr } = spawnSync(join("node_modules/.bin", tool), words, { encoding: "utf8" });
  return status === 0 ? [] : [`${name}: ${tool}\n${stdout}${stderr}`];
}

/** Additional dependencies of the programs. */
const programsNeed = ["fastify", "pino", "@types/node", "undici-types"];

/** Puts the tarballs into `folder/node_modules`, with links only to the third-party packages that they declare. */
export function installTarballs(packed: readonly PackedPackage[], folder: string): void {
  const thirdParties = new Set(programsNeed);
  for (const { manifest, tarball } of packed) {
    const place = join(folder, "node_modules", manifest.name);
    mkdirSync(place, { recursive: true });
    execFileSync("tar", ["-xzf", tarball, "-C", place, "--strip-components=1"]);
    const { dependencies = {}, peerDependencies = {} } = manifest;
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) thirdParties.add(name);
  }
  for (const name of [...thirdParties].filter((each) => !each.startsWith("@plimsoll/"))) {
    const place = join(folder, "node_modules", name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(resolve("node_modules", name), place);
  }
}
