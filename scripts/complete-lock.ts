/**
 * Completes package-lock.json. If a registry lacks a package for some platform, npm leaves it out of the lock file, and `npm ci`
 * then fails. An added entry is derived from the package's name. Entries without the digest of the package, or without its licence, get
 * those that the registry tells: with the digest, npm checks what it downloads.
 *
 *     npm run lock       after every change of dependencies
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

interface LockEntry {
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

const systems = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const processors = ["arm64", "arm", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "x64", "wasm32"];

const lockFile = new URL("../package-lock.json", import.meta.url);
const lock: { packages: Record<string, LockEntry> } = JSON.parse(readFileSync(lockFile, "utf8"));
const missing = Object.values(lock.packages).flatMap(missingOf);
for (const [path, entry] of missing) lock.packages[path] = entry;
const incomplete = Object.entries(lock.packages).filter(([path, entry]) => isIncomplete(path, entry));
for (const [path, entry] of incomplete) lock.packages[path] = withFacts(path, entry);
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(lockFile, `${JSON.stringify(lock, undefined, 2)}\n`);
console.log(`${missing.length} packages for other platforms added, ${incomplete.length} entries completed`);

/** Workspaces have no digest. */
function isIncomplete(path: string, { integrity, license, link = false }: LockEntry): boolean {
  return path.startsWith("node_modules/") && !link && (integrity === undefined || license === undefined);
}

function withFacts(path: string, { version, ...rest }: LockEntry): LockEntry {
  const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  const words = ["view", `${name}@${version}`, "dist.integrity", "license", "--json"];
  const { "dist.integrity": integrity, license } = JSON.parse(execFileSync("npm", words, { encoding: "utf8" }));
  return { version, integrity, ...rest, license };
}

function missingOf({ optionalDependencies = {}, dev }: LockEntry): [string, LockEntry][] {
  return Object.entries(optionalDependencies).flatMap(([name, version]) => {
    const path = `node_modules/${name}`;
    if (lock.packages[path] !== undefined || !/^\d+\.\d+\.\d+/.test(version)) return [];
    return [[path, { version, dev: dev === true ? dev : undefined, optional: true, ...platformOf(name) }]];
  });
}

function platformOf(name: string): Pick<LockEntry, "os" | "cpu" | "libc"> {
  const words = name.split(/[/-]/).map((word) => word.replace(/^(?:armv7|armhf)$/, "arm"));
  const os = systems.filter((system) => words.includes(system));
  const cpu = processors.filter((processor) => words.includes(processor));
  const libc = words.some((word) => word.startsWith("musl")) ? ["musl"] : words.includes("gnu") ? ["glibc"] : [];
  return {
    os: os.length > 0 ? os : undefined,
    cpu: cpu.length > 0 ? cpu : undefined,
    libc: libc.length > 0 ? libc : undefined,
  };
}
