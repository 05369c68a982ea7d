/**
 * Runs a program on the oldest Node that `engines` allows, whichever Node runs npm's scripts.
 *
 *     npm run test:oldest                                           the unit tests
 *     node scripts/run-on-oldest-node.ts PROGRAM [ARGUMENT]...      any program
 *
 * The first run downloads that Node to `.cache/oldest-node`, as another version of the package that pins the newer one for this
 * machine. It is not in the lock file. The exit code is the program's; 2 if that Node cannot be downloaded.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";

interface Manifest {
  readonly version?: string;
  readonly engines?: { readonly node: string };
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly bin?: { readonly node: string };
}

const root = resolve(import.meta.dirname, "..");
const { engines, optionalDependencies = {} } = manifestIn(root) ?? {};
const [, oldest = ""] = /^>=(\d+\.\d+\.\d+)$/.exec(engines?.node ?? "") ?? [];
if (oldest === "") fail("engines.node in package.json has to be like >=24.15.0");
const folder = join(root, ".cache/oldest-node");
const node = fetchNode(packageOfThisMachine());
const [program, ...words] = process.argv.slice(2);
if (program === undefined) fail("name the program to run");
console.log(`on Node ${spawnSync(node, ["-p", "process.versions.node"], { encoding: "utf8" }).stdout.trim()}`);
const env = { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) };
const { status, signal } = spawnSync(node, [program, ...words], { stdio: "inherit", env });
if (signal !== null) fail(`${program} ended by ${signal}`);
process.exitCode = status ?? 2;

/** The package of Node for this machine, which npm has installed. */
function packageOfThisMachine(): string {
  const here = Object.keys(optionalDependencies).find((name) => manifestIn(join(root, "node_modules", name)));
  return here ?? fail("no package of Node is installed here: run npm ci, without --omit=optional");
}

function fetchNode(name: string): string {
  const installed = join(folder, "node_modules", name);
  if (manifestIn(installed)?.version !== oldest) {
    const words = ["--prefix", folder, "--no-save", "--no-package-lock", "--ignore-scripts", "--workspaces=false"];
    const { status } = spawnSync("npm", ["install", ...words, `${name}@${oldest}`], { cwd: root, stdio: "inherit" });
    if (status !== 0) fail(`npm cannot install ${name}@${oldest}`);
  }
  return join(installed, manifestIn(installed)?.bin?.node ?? fail(`${installed} contains no Node`));
}

function manifestIn(folder: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function fail(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(2);
}
