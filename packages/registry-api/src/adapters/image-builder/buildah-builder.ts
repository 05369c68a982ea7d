import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { BuildError, type BuildOrder, type BuildProgress, type ImageBuilder } from "../../ports/building.ts";
import { makeBuildFolder, removeRemains } from "./build-folder.ts";
import { findPlaces, writeBuildahFiles } from "./buildah-files.ts";
import { ProgramFailed, runProgram } from "./run-program.ts";
import { type ContextLimits, unpackContext } from "./unpack-context.ts";
import { canRunWalled, walled } from "./walled.ts";

/** How images are built. */
export interface BuildahOptions {
  /** Holds a folder for each build while it runs. What processes that were killed left there is removed. */
  readonly folder: string;
  /** `PATH`, and the variables of proxies. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly limits?: ContextLimits;
}

/**
 * Capabilities that commands of a Dockerfile do not get: with them, they would reach files of the machine.
 * @see https://man7.org/linux/man-pages/man7/capabilities.7.html
 */
const droppedCapabilities = ["CAP_SYS_CHROOT", "CAP_MKNOD", "CAP_NET_RAW"];

const passedVariables = ["PATH", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"];

/**
 * Builds images with buildah, each in a folder, a file system and a PID namespace of its own, without a daemon. Undefined where buildah is
 * not installed, or this process may not make such namespaces.
 * @see https://github.com/containers/buildah/blob/main/docs/buildah-build.1.md
 * @example
 * const builder = findBuildah({ folder: "data/builds", environment: process.env });
 */
export function findBuildah(options: BuildahOptions): ImageBuilder | undefined {
  const environment = pickVariables(options.environment);
  removeRemains(options.folder);
  if (!canRunWalled(options.folder, ["buildah", "--version"], environment)) return undefined;
  return { build: (order, { signal }) => build({ ...options, environment }, order, signal) };
}

function pickVariables(given: BuildahOptions["environment"]): Record<string, string> {
  return Object.fromEntries(passedVariables.flatMap((name) => (given[name] ? [[name, given[name]]] : [])));
}

async function* build(
  options: BuildahOptions & { readonly environment: Readonly<Record<string, string>> },
  order: BuildOrder,
  signal: AbortSignal,
): AsyncGenerator<BuildProgress> {
  await using folder = await makeBuildFolder(options.folder);
  const { path } = folder;
  const run = (name: string, ...given: readonly string[]) =>
    runProgram({
      within: walled,
      program: "buildah",
      name,
      arguments: [...storage(path), name, ...given],
      folder: path,
      environment: { ...options.environment, ...variables(path) },
      signal,
    });
  yield { kind: "phase", phase: "unpacking" };
  await mkdir(join(path, "archive"));
  await unpackContext(order.archive, join(path, "archive"), {
    signal,
    ...(options.limits && { limits: options.limits }),
  });
  await writeBuildahFiles(path, order);
  const { context, dockerfile } = await findPlaces(path, order);
  yield { kind: "phase", phase: "pulling" };
  yield* buildPhases(ofBuild(run("bud", ...budOptions(path, order), "--file", dockerfile, context)));
  yield { kind: "phase", phase: "pushing" };
  for (const tag of order.tags) {
    const to = `docker://${order.registry.host}/${order.repository}:${tag}`;
    for await (const lines of run("push", ...pushOptions(path), imageName, to)) yield { kind: "output", lines };
  }
  yield { kind: "pushed", digest: (await readFile(join(path, "digest"), "utf8")).trim() };
}

const imageName = "localhost/build:latest";

function storage(folder: string): readonly string[] {
  return ["--root", join(folder, "storage"), "--runroot", join(folder, "run"), "--storage-driver", "vfs"];
}

function variables(folder: string): Record<string, string> {
  const registries = join(folder, "registries.conf");
  return { HOME: folder, TMPDIR: join(folder, "tmp"), CONTAINERS_REGISTRIES_CONF: registries };
}

function budOptions(folder: string, order: BuildOrder): readonly string[] {
  return [
    ...["--isolation", "chroot", "--format", "oci", "--retry", "1", "--tag", imageName],
    ...["--signature-policy", join(folder, "policy.json"), "--authfile", join(folder, "pull.json")],
    ...["--timestamp", String(Math.floor(order.createdAt / 1000))],
    ...droppedCapabilities.flatMap((name) => ["--cap-drop", name]),
    ...Object.entries(order.arguments).flatMap(([name, value]) => ["--build-arg", `${name}=${value}`]),
  ];
}

function pushOptions(folder: string): readonly string[] {
  const files = ["--signature-policy", join(folder, "policy.json"), "--authfile", join(folder, "push.json")];
  return [...files, "--digestfile", join(folder, "digest"), "--retry", "1"];
}

/** The output of a build; base images are pulled before its second step. */
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

/** The output of a build, whose failure is that of its Dockerfile. */
async function* ofBuild(output: AsyncIterable<readonly string[]>): AsyncGenerator<readonly string[]> {
  try {
    yield* output;
  } catch (cause) {
    if (cause instanceof ProgramFailed) throw new BuildError(`The build failed: ${cause.message}`, { cause });
    throw cause;
  }
}
