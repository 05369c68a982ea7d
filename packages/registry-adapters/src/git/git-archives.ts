import { spawn, spawnSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { BuildError, type GitArchives } from "@plimsoll/registry/ports/building";
import { makeBuildFolder, removeRemains } from "../image-builder/build-folder.ts";
import { confined, killGroup, ProgramFailed, runProgram } from "../image-builder/run-program.ts";

/** Options of {@link findGit}. */
export interface GitOptions {
  /** Has one folder for each repository while it is read. Remains of killed processes are removed. */
  readonly folder: string;
  /** `PATH`, and variables that say which certificates are trusted. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Opens the proxy for git's connections. It limits the addresses that git reaches and the bytes that it receives. */
  openProxy(): Promise<{ readonly url: string } & AsyncDisposable>;
}

/**
 * Reads git repositories with git: only by https, without credentials, submodules, hooks and filters, and only the files of one
 * commit. Undefined if git is not installed, or this process may not start it in its own PID namespace.
 * @example
 * const policyOf = () => ({ guard: addressGuard() });
 * const openProxy = () => startTunnels({ policyOf, maxBytes: 1_000_000_000 });
 * const gitArchives = findGit({ folder: "data/builds", environment: process.env, openProxy });
 */
export function findGit(options: GitOptions): GitArchives | undefined {
  const [command = "", ...before] = confined;
  const environment = variables(options, undefined);
  const found = spawnSync(command, [...before, "git", "--version"], { env: environment, timeout: 10_000 });
  if (found.status !== 0) return undefined;
  removeRemains(options.folder);
  return { open: (source, { signal }) => open(options, source, signal) };
}

async function* open(
  options: GitOptions,
  { url, ref }: { readonly url: string; readonly ref: string },
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  await using folder = await makeBuildFolder(options.folder);
  await using proxy = await options.openProxy();
  const path = join(folder.path, "repository");
  await mkdir(path);
  const git = { folder: path, environment: variables(options, proxy.url), signal };
  await run({ ...git, words: ["init", "--quiet", "--bare", "."] });
  const fetching = ["fetch", "--quiet", "--depth", "1", "--no-tags", "--no-recurse-submodules", "--", url, ref];
  await run({ ...git, words: [...settings, ...fetching] });
  yield* archive(git);
}

/** Settings of git that the repository cannot override. */
const settings = [
  ...["-c", "protocol.allow=never", "-c", "protocol.https.allow=always"],
  ...["-c", "http.followRedirects=initial", "-c", "credential.helper=", "-c", "core.hooksPath=/dev/null"],
  ...["-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=60"],
];

interface Git {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

async function run({ words, ...git }: Git & { readonly words: readonly string[] }): Promise<void> {
  const output: string[] = [];
  const name = words.find((word) => word === "init" || word === "fetch") ?? "";
  try {
    for await (const lines of runProgram({ ...git, within: confined, program: "git", name, arguments: words }))
      output.push(...lines);
  } catch (cause) {
    if (!(cause instanceof ProgramFailed)) throw cause;
    throw new BuildError(`The git repository cannot be read: ${output.at(-1) ?? cause.message}`, { cause });
  }
}

/** The files of the commit that was fetched. */
async function* archive({ folder, environment, signal }: Git): AsyncGenerator<Uint8Array> {
  const [command = "", ...before] = confined;
  const child = spawn(command, [...before, "git", "archive", "--format=tar", "FETCH_HEAD"], {
    ...{ cwd: folder, env: environment, detached: true, stdio: ["ignore", "pipe", "ignore"] },
  });
  const closed = new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  closed.catch(() => {}); // also when the reader stops first
  const kill = () => killGroup(child.pid);
  signal.addEventListener("abort", kill, { once: true });
  try {
    yield* child.stdout;
    const code = await closed;
    signal.throwIfAborted();
    if (code !== 0) throw new BuildError(`The git repository cannot be read: git archive ended with exit code ${code}`);
  } finally {
    signal.removeEventListener("abort", kill);
    if (child.exitCode === null) kill();
  }
}

const passedVariables = ["PATH", "GIT_SSL_CAINFO", "SSL_CERT_FILE", "SSL_CERT_DIR"];

/** The environment of git: without the configuration of the machine, and without prompts. */
function variables(
  { environment, folder }: Pick<GitOptions, "environment" | "folder">,
  proxy: string | undefined,
): Record<string, string> {
  const passed = passedVariables.flatMap((name) => {
    const value = environment[name];
    return value ? [[name, value] as const] : [];
  });
  return {
    ...Object.fromEntries(passed),
    ...{ HOME: folder, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", GIT_TERMINAL_PROMPT: "0" },
    ...{ GIT_ASKPASS: "/bin/false", GIT_LFS_SKIP_SMUDGE: "1", NO_PROXY: "", no_proxy: "", LC_ALL: "C" },
    ...(proxy !== undefined && { https_proxy: proxy, HTTPS_PROXY: proxy, all_proxy: proxy }),
  };
}
