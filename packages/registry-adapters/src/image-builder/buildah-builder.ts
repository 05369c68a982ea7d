import { mkdir, readFile, rm } from "node:fs/promises";
import { release } from "node:os";
import { join } from "node:path";
import { ScanError } from "@plimsoll/core";
import { withoutUndefined } from "@plimsoll/core/internal";
import {
  type BaseImages,
  BuildError,
  type BuildOrder,
  type BuildProgress,
  type ImageBuilder,
} from "@plimsoll/registry/ports/building";
import { baseImages } from "./base-images.ts";
import {
  type BuildLimits,
  type BuildNetwork,
  formatBytes,
  limitsOnMachine,
  makeBuildFolder,
  measureFolder,
  removeRemains,
} from "./build-folder.ts";
import { findPlaces, pushRefusal, writeBuildahFiles, writePushLogin } from "./buildah-files.ts";
import { fetchBaseImage } from "./fetch-base-image.ts";
import { ProgramFailed, runProgram } from "./run-program.ts";
import { canRunSandboxed, limitsPids, type Sandbox, sandboxed, sandboxFolders, unlimitedProcesses } from "./sandbox.ts";
import { type ContextLimits, unpackContext } from "./unpack-context.ts";
import { exceededLimit, watchBuild } from "./watch-build.ts";

/** Options of {@link findBuildah}. */
export interface BuildahOptions {
  /** Has one folder for each build while it runs. Remains of killed processes are removed. */
  readonly folder: string;
  /** `PATH`, and the variables of proxies. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Limits of the archive. */
  readonly limits?: ContextLimits;
  /** Limits of a build that differ from {@link limitsOnMachine}. */
  readonly buildLimits?: Partial<BuildLimits>;
  /** The network of the commands of a Dockerfile; `none` where absent. Only pushing an image, to the registry itself, always uses the machine's network. */
  readonly network?: BuildNetwork;
  /** Fetches base images; where absent, images can begin from `scratch` only. */
  readonly baseImages?: BaseImages;
}

/**
 * Capabilities that commands of a Dockerfile do not get, because with them they could reach files of the machine.
 * @see https://man7.org/linux/man-pages/man7/capabilities.7.html
 */
const droppedCapabilities = ["CAP_SYS_CHROOT", "CAP_MKNOD", "CAP_NET_RAW"];

/** Addresses of proxies may have passwords, and commands see them. So they are passed only where there is a network. */
const passedVariables = ["PATH", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"];

/**
 * Builds images with buildah, without a daemon. Each build has limits and its own folder, file system and PID namespace. Undefined if
 * buildah is not installed, or this process may not create such namespaces.
 * @see https://github.com/containers/buildah/blob/main/docs/buildah-build.1.md
 * @example
 * const builder = findBuildah({ folder: "data/builds", environment: process.env });
 */
export function findBuildah(options: BuildahOptions): ImageBuilder | undefined {
  const environment = pick(options.environment, passedVariables);
  removeRemains(options.folder);
  const sandbox = {
    limits: { ...limitsOnMachine(), ...withoutUndefined(options.buildLimits ?? {}) },
    network: options.network ?? "none",
  };
  if (!canRunSandboxed(options.folder, { words: ["buildah", "--version"], sandbox, environment })) return undefined;
  const { folder, limits, baseImages: images = noBaseImages } = options;
  const builds = { folder, environment, sandbox, images, limits };
  return { build: (order, { signal }) => build(builds, order, signal) };
}

function pick(given: BuildahOptions["environment"], names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (given[name] ? [[name, given[name]]] : [])));
}

/** The settings that all builds share. */
interface Builds {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly limits?: ContextLimits;
  readonly sandbox: Sandbox;
  readonly images: BaseImages;
}

async function* build(builds: Builds, order: BuildOrder, signal: AbortSignal): AsyncGenerator<BuildProgress> {
  await using folder = await makeBuildFolder(builds.folder);
  const { path } = folder;
  const run = buildahIn(builds, path, signal);
  yield { kind: "phase", phase: "unpacking" };
  yield { kind: "output", lines: describeLimits(builds.sandbox) };
  await mkdir(join(path, "work/archive"), { recursive: true });
  await unpackContext(order.archive, join(path, "work/archive"), {
    signal,
    limits: builds.limits,
  });
  await writeBuildahFiles(path, order);
  const { context, dockerfile } = await findPlaces(path, order);
  yield { kind: "phase", phase: "pulling" };
  const images = baseImages(dockerfile, order.arguments);
  const left = { folder: path, limits: builds.sandbox.limits };
  if (images.length > maxBaseImages)
    throw new BuildError(`The Dockerfile names more than ${maxBaseImages} base images`);
  for (const image of images) {
    yield { kind: "output", lines: [`Fetching ${image}`] };
    const name = await fetchBaseImage(image, join(path, "work/base"), fetchingOf(builds, order, signal));
    const id = yield* outputOf(failingAsBuild(run("pull", ...pullOptions, `oci:${inside("base")}`), left));
    yield* outputOf(run("tag", id, name));
    await rm(join(path, "work/base"), { recursive: true });
  }
  const words = [...budOptions(order), "--pull=never", "--file", `${settings}/Dockerfile`, inside(context)];
  yield* buildPhases(failingAsBuild(run("bud", ...words), left));
  yield { kind: "phase", phase: "pushing" };
  await writePushLogin(path, order);
  for (const tag of order.tags) {
    const to = `docker://${order.registry.host}/${order.repository}:${tag}`;
    yield* outputOf(failingIfRefused(run("push", ...pushOptions, imageName, to)));
  }
  yield { kind: "pushed", digest: (await readFile(join(path, "push/digest"), "utf8")).trim() };
}

/** More images than a Dockerfile needs: each costs requests to a registry that its author chooses. */
const maxBaseImages = 100;

function fetchingOf({ images, sandbox: { limits } }: Builds, { registry, pull }: BuildOrder, signal: AbortSignal) {
  return { images, limits, signal, own: { ...registry, login: pull } };
}

/** The networks of buildah's commands. It pulls from the folder of the build, and pushes to the registry itself. */
const networks = {
  pull: () => "none",
  tag: () => "none",
  bud: ({ network }) => network,
  push: () => "host",
} as const satisfies Record<string, (sandbox: Sandbox) => BuildNetwork>;

/** Runs buildah for one build. */
function buildahIn({ sandbox, environment }: Builds, folder: string, signal: AbortSignal) {
  const { limits } = sandbox;
  return (name: keyof typeof networks, ...given: readonly string[]) => {
    const network = networks[name](sandbox);
    return runProgram({
      within: sandboxed({ limits, network }),
      program: "buildah",
      name,
      arguments: [...storage, name, ...given],
      folder,
      environment: { ...(network === "host" ? environment : pick(environment, ["PATH"])), ...variables },
      signal,
      watch: (pid, ended) => watchBuild({ pid, folder, limits }, ended),
    });
  };
}

/** Log lines about the limits, and about those that this machine cannot enforce. */
function describeLimits({ limits, network }: Sandbox): readonly string[] {
  const { memoryBytes, processes, diskBytes, files } = limits;
  const reached = network === "none" ? "no network" : "the network of the machine";
  const amounts = `${formatBytes(memoryBytes)} of memory, ${processes} processes and threads, ${formatBytes(diskBytes)} of disk with ${files} files`;
  return [
    `A build may use ${amounts}; its commands have ${reached}.`,
    ...(limitsPids(release()) ? [] : [unlimitedProcesses]),
  ];
}

const imageName = "localhost/build:latest";

const { work, settings, push } = sandboxFolders;

/** The path that buildah sees for one in the folder `work` of the build. */
function inside(path: string): string {
  return join(work, path);
}

const storage = ["--root", inside("storage"), "--runroot", inside("run"), "--storage-driver", "vfs"];
const policy = ["--signature-policy", `${settings}/policy.json`];
const pullOptions = ["--signature-policy", `${settings}/pull-policy.json`];
const pushFiles = ["--authfile", `${push}/login.json`, "--digestfile", `${push}/digest`];
const pushOptions = [...policy, ...pushFiles, "--retry", "1"];
const variables = {
  HOME: settings, // not where commands could leave settings for the push
  TMPDIR: inside("tmp"),
  CONTAINERS_REGISTRIES_CONF: `${settings}/registries.conf`,
};

function budOptions(order: BuildOrder): readonly string[] {
  return [
    ...["--isolation", "chroot", "--format", "oci", "--tag", imageName],
    ...policy,
    ...["--timestamp", String(Math.floor(order.createdAt / 1000))],
    ...droppedCapabilities.flatMap((name) => ["--cap-drop", name]),
    ...Object.entries(order.arguments).flatMap(([name, value]) => ["--build-arg", `${name}=${value}`]),
  ];
}

/** The output of `buildah bud` with its phases. It pulls base images before its second step. */
async function* buildPhases(output: AsyncIterable<readonly string[]>): AsyncGenerator<BuildProgress> {
  let isBuilding = false;
  for await (const lines of output) {
    const step = isBuilding ? -1 : lines.findIndex((line) => /^(?:\[\d+\/\d+\] )?STEP (?!1\/\d)\d+\//.test(line));
    if (step > 0) yield { kind: "output", lines: lines.slice(0, step) };
    if (step >= 0) {
      isBuilding = true;
      yield { kind: "phase", phase: "building" };
    }
    yield { kind: "output", lines: lines.slice(Math.max(0, step)) };
  }
  if (!isBuilding) yield { kind: "phase", phase: "building" };
}

/** The output of buildah, where a failure is a fault of the Dockerfile. @throws BuildError */
async function* failingAsBuild(
  output: AsyncIterable<readonly string[]>,
  { folder, limits }: { readonly folder: string; readonly limits: BuildLimits },
): AsyncGenerator<readonly string[]> {
  try {
    yield* output;
  } catch (cause) {
    if (!(cause instanceof ProgramFailed)) throw cause;
    const left = { processes: 0, memoryBytes: 0, ...(await measureFolder(folder)) };
    throw exceededLimit(left, limits) ?? new BuildError(`The build failed: ${cause.message}`, { cause });
  }
}

/** The output of `buildah push`. @throws BuildError if the registry refused the image, which another attempt would not change */
async function* failingIfRefused(output: AsyncIterable<readonly string[]>): AsyncGenerator<readonly string[]> {
  let last: readonly string[] = [];
  try {
    for await (const lines of output) {
      last = [...last.slice(-1), ...lines];
      yield lines;
    }
  } catch (cause) {
    const refusal = cause instanceof ProgramFailed ? pushRefusal(last) : undefined;
    if (refusal === undefined) throw cause;
    throw new BuildError(`The registry does not accept the image: ${refusal}`, { cause });
  }
}

/** Passes an output on. @returns its last line: `buildah pull` ends with the identifier of the image */
async function* outputOf(output: AsyncIterable<readonly string[]>): AsyncGenerator<BuildProgress, string> {
  let last = "";
  for await (const lines of output) {
    yield { kind: "output", lines };
    last = lines.at(-1) ?? last;
  }
  return last;
}

/** Refuses to open repositories. It is the port of builders that are configured without a client for registries: their images begin from `scratch`. */
const noBaseImages: BaseImages = {
  platform: { os: "linux", architecture: "amd64" },
  open: async ({ host }) => {
    throw new ScanError("not_permitted", `${host}: this registry sends no requests to fetch base images`);
  },
};
