/**
 * The lock file of the dependencies.
 *
 *     npm run dependencies     checks its rules, and known vulnerabilities
 *     npm run lock             completes it after every change of dependencies
 *
 * The check exits with 1 if there is a problem. If the registry answers no audit, the last line says that vulnerabilities are unknown, and
 * `.ci/run` shows them as not tested.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

function checkDependencies(): void {
  const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const { stdout } = spawnSync("npm", ["audit", "--json"], { encoding: "utf8", timeout: 120_000 });
  const audit = judgeAudit(stdout, lock);
  const problems = [...lockProblems(lock), ...(audit?.problems ?? [])];
  for (const note of audit?.notes ?? []) console.log(`no problem: ${note}`);
  for (const problem of problems) console.error(problem);
  if (audit === undefined) console.log("npm audit: no answer, so known vulnerabilities are not tested");
  const known = audit === undefined ? "of the lock file; vulnerabilities are unknown" : "of dependencies";
  console.log(`${problems.length} problems ${known}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

/** The members of an entry that the rules read. */
export interface LockEntry {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly hasInstallScript?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

/** A lock file, as npm writes it. */
export interface LockFile {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

/** Licences that a user of the published packages may be bound to: all permit use, change and sale without further duties than a notice. */
const permissive = new Set([
  ...["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "ISC", "MIT", "MIT-0", "Unlicense"],
  ...["(Apache-2.0 AND BSD-3-Clause)", "CC0-1.0", "MIT OR Apache-2.0"],
]);

/** Licences that only tools of this repository may have besides, since nothing of them is published. */
const ofTools = new Set(["CC-BY-4.0", "MPL-2.0", "Python-2.0"]);

/** Lists of data with licences that are made for works of that kind, and ask for no more than a notice. */
const ofData = new Set(["spdx-exceptions CC-BY-3.0"]);

/** Tools with an installation script. `.npmrc` keeps npm from running any script; these work without. */
const unrunScripts = new Set(["@scarf/scarf", "esbuild"]);

/** What is wrong with a lock file, a line for each problem. */
export function lockProblems({ packages }: LockFile): readonly string[] {
  return Object.entries(packages)
    .filter(([path, { link = false }]) => path.includes("node_modules/") && !link)
    .flatMap(([path, entry]) => problemsOf(path, entry).map((problem) => `${path}: ${problem}`));
}

function problemsOf(path: string, { integrity, resolved, license = "none", dev = false, ...entry }: LockEntry) {
  const name = packageAt(path);
  const isAllowed = permissive.has(license) || ofData.has(`${name} ${license}`) || (dev && ofTools.has(license));
  const isUnexpected = entry.hasInstallScript === true && !(dev && unrunScripts.has(name));
  return [
    ...(integrity?.startsWith("sha512-")
      ? []
      : [`expected a SHA-512 digest, found ${integrity ?? "none"}: npm run lock`]),
    ...(resolved === undefined ? [] : ["it records the address that it was downloaded from: npm run lock"]),
    ...(isAllowed ? [] : [`its licence is ${license}: expected a permissive one`]),
    ...(isUnexpected ? ["it has an installation script"] : []),
  ];
}

/** What known vulnerabilities mean for a change. */
export interface AuditResult {
  /** These fail the check. */
  readonly problems: readonly string[];
  /** These are only shown. */
  readonly notes: readonly string[];
}

interface AuditReport {
  readonly vulnerabilities?: Readonly<
    Record<string, { readonly severity: string; readonly range: string; readonly nodes?: readonly string[] }>
  >;
}

/** A vulnerability of a tool reaches no user. From these severities on it fails, since tools see our sources and our releases. */
const failingForTools = ["high", "critical"];

/**
 * Judges the answer of `npm audit --json`. A vulnerability of a published dependency fails with each severity; one of a development
 * dependency from `high` on.
 * @param lock says which packages are development dependencies only
 * @returns undefined if the registry gave no answer: then nothing is known
 */
export function judgeAudit(text: string, lock: LockFile): AuditResult | undefined {
  const { vulnerabilities } = parseReport(text);
  if (vulnerabilities === undefined) return undefined;
  const problems: string[] = [];
  const notes: string[] = [];
  for (const [name, { severity, range, nodes = [] }] of Object.entries(vulnerabilities)) {
    const isTool = nodes.length > 0 && nodes.every((path) => lock.packages[path]?.dev === true);
    const fails = !isTool || failingForTools.includes(severity);
    const where = isTool ? ", in a development dependency" : "";
    (fails ? problems : notes).push(`${name} ${range}: a known vulnerability, ${severity}${where}`);
  }
  return { problems, notes };
}

function parseReport(text: string): AuditReport {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/**
 * Completes the lock file. If a registry lacks a package for some platform, npm leaves it out of the lock file, and `npm ci` then fails.
 * An added entry is derived from the package's name. Entries without the digest of the package, or without its licence, get those that the
 * registry tells: with the digest, npm checks what it downloads.
 */
function completeLock(): void {
  const lock: LockFile = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const missing = Object.values(lock.packages).flatMap((entry) => missingOf(lock, entry));
  const all = Object.entries({ ...lock.packages, ...Object.fromEntries(missing) });
  const incomplete = all.filter(([path, entry]) => isIncomplete(path, entry));
  const completed = incomplete.map(([path, entry]) => [path, withFacts(path, entry)] as const);
  const packages = Object.entries({ ...Object.fromEntries(all), ...Object.fromEntries(completed) });
  const sorted = Object.fromEntries(packages.sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync("package-lock.json", `${JSON.stringify({ ...lock, packages: sorted }, undefined, 2)}\n`);
  console.log(`${missing.length} packages for other platforms added, ${incomplete.length} entries completed`);
}

const systems = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const processors = ["arm64", "arm", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "x64", "wasm32"];

/** Workspaces have no digest. */
function isIncomplete(path: string, { integrity, license, link = false }: LockEntry): boolean {
  return path.startsWith("node_modules/") && !link && (integrity === undefined || license === undefined);
}

function withFacts(path: string, { version, ...rest }: LockEntry): LockEntry {
  const name = packageAt(path);
  const words = ["view", `${name}@${version}`, "dist.integrity", "license", "--json"];
  const { "dist.integrity": integrity, license } = JSON.parse(execFileSync("npm", words, { encoding: "utf8" }));
  return { version, integrity, ...rest, license };
}

function missingOf({ packages }: LockFile, { optionalDependencies = {}, dev }: LockEntry): [string, LockEntry][] {
  return Object.entries(optionalDependencies).flatMap(([name, version]) => {
    const path = `node_modules/${name}`;
    if (packages[path] !== undefined || !/^\d+\.\d+\.\d+/.test(version)) return [];
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

/** The name of the package at a path below `node_modules`. */
function packageAt(path: string): string {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}

if (import.meta.main) process.argv[2] === "complete" ? completeLock() : checkDependencies();
