/**
 * Completes package-lock.json. If a registry lacks a package for some platform, npm leaves it out of the lock file, and `npm ci`
 * then fails. An added entry is derived from the package's name; npm checks the integrity when it installs the package.
 *
 *     npm run lock       after every change of dependencies
 */
import { readFileSync, writeFileSync } from "node:fs";

interface LockEntry {
  readonly version?: string;
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
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(lockFile, `${JSON.stringify(lock, undefined, 2)}\n`);
console.log(`${missing.length} packages for other platforms added`);

function missingOf({ optionalDependencies = {}, dev }: LockEntry): [string, LockEntry][] {
  return Object.entries(optionalDependencies).flatMap(([name, version]) => {
    const path = `node_modules/${name}`;
    if (lock.packages[path] !== undefined || !/^\d+\.\d+\.\d+/.test(version)) return [];
    return [[path, { version, ...(dev === true ? { dev } : {}), optional: true, ...platformOf(name) }]];
  });
}

function platformOf(name: string): Pick<LockEntry, "os" | "cpu" | "libc"> {
  const words = name.split(/[/-]/).map((word) => word.replace(/^(?:armv7|armhf)$/, "arm"));
  const os = systems.filter((system) => words.includes(system));
  const cpu = processors.filter((processor) => words.includes(processor));
  const libc = words.some((word) => word.startsWith("musl")) ? ["musl"] : words.includes("gnu") ? ["glibc"] : [];
  return { ...(os.length > 0 && { os }), ...(cpu.length > 0 && { cpu }), ...(libc.length > 0 && { libc }) };
}
