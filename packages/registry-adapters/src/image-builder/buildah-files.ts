import { lstat, mkdir, readFile, realpath, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { BuildError, type BuildOrder } from "@plimsoll/registry/ports/building";
import { quoteName } from "./context-writer.ts";

const maxDockerfileBytes = 1024 * 1024;

/**
 * A Dockerfile's images are those that were fetched before, and its own stages. Other transports, such as `FROM oci:/path`, would read
 * files of the build that are none of its images.
 * @see https://github.com/containers/image/blob/main/docs/containers-policy.json.5.md
 */
const policy = policyOf("docker", "containers-storage");

/** What was fetched is read from an image layout. */
const pullPolicy = policyOf("oci");

function policyOf(...transports: readonly string[]) {
  const all = { "": [{ type: "insecureAcceptAnything" }] };
  return { default: [{ type: "reject" }], transports: Object.fromEntries(transports.map((name) => [name, all])) };
}

/** Writes the configuration files of buildah for a build, before any command runs. */
export async function writeBuildahFiles(folder: string, { registry }: BuildOrder): Promise<void> {
  const settings = join(folder, "settings");
  const registries = [
    'unqualified-search-registries = ["docker.io"]',
    'short-name-mode = "disabled"',
    "[[registry]]",
    `location = ${JSON.stringify(registry.host)}`,
    `insecure = ${registry.scheme === "http"}`,
  ];
  await mkdir(join(folder, "work/tmp"));
  await mkdir(settings);
  await writeFile(join(settings, "policy.json"), JSON.stringify(policy));
  await writeFile(join(settings, "pull-policy.json"), JSON.stringify(pullPolicy));
  await writeFile(join(settings, "registries.conf"), `${registries.join("\n")}\n`);
}

/** Writes the credentials for the push. Called when all commands have ended: they can read what programs in the sandbox can read. */
export async function writePushLogin(folder: string, { registry, push }: BuildOrder): Promise<void> {
  const auth = Buffer.from(`${push.username}:${push.password}`).toString("base64");
  const login = JSON.stringify({ auths: { [registry.host]: { auth } } });
  await mkdir(join(folder, "push"));
  await writeFile(join(folder, "push/login.json"), login, { mode: 0o600 });
}

/** The parts of a build. */
interface BuildPlaces {
  /** A path below the folder `work` of the build. */
  readonly context: string;
  /** The text of the Dockerfile. */
  readonly dockerfile: string;
}

/**
 * Finds the folder and the Dockerfile of a build in the archive. The Dockerfile is copied into the settings: buildah passes one whose name ends
 * with `.in` through a preprocessor, which can include any file of the machine.
 * @throws BuildError if the archive lacks either, or the Dockerfile is too large
 */
export async function findPlaces(
  folder: string,
  order: Pick<BuildOrder, "context" | "dockerfilePath">,
): Promise<BuildPlaces> {
  const root = await realpath(join(folder, "work/archive"));
  const context = await placeOf(root, order.context);
  if (context === undefined || !context.isFolder) {
    throw new BuildError(`The archive has no folder ${quoteName(order.context)}, the context of the build`);
  }
  const found = await placeOf(root, order.dockerfilePath);
  if (found === undefined || found.isFolder) {
    throw new BuildError(`The archive has no file ${quoteName(order.dockerfilePath)}, the Dockerfile of the build`);
  }
  if (found.sizeBytes > maxDockerfileBytes)
    throw new BuildError(`The Dockerfile has more than ${maxDockerfileBytes} bytes`);
  const dockerfile = await readFile(found.path);
  await writeFile(join(folder, "settings/Dockerfile"), dockerfile);
  return { context: join("archive", relative(root, context.path)), dockerfile: dockerfile.toString() };
}

/** The file or folder at a path of the archive, links followed; undefined if there is none, or it is outside. */
async function placeOf(root: string, path: string) {
  const real = await realpath(join(root, path)).catch(() => undefined);
  if (real === undefined || (real !== root && !real.startsWith(`${root}/`))) return undefined;
  const found = await lstat(real);
  return found.isFile() || found.isDirectory()
    ? { path: real, isFolder: found.isDirectory(), sizeBytes: found.size }
    : undefined;
}

/**
 * The reason why a registry does not accept an image, so that another push would not succeed either. Undefined for failures that may pass:
 * no answer, a server error, too many requests.
 *
 * buildah ends with `Error: …: <code>: <message>` where the registry's answer has an error of the protocol (the code in lower case, with
 * spaces), and with `Error: …: StatusCode: <number>, <body>` where it has none.
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md#error-codes
 * @example
 * pushRefusal(["Error: writing blob: denied: the quota is used up"]); // "denied: the quota is used up"
 */
export function pushRefusal(lines: readonly string[]): string | undefined {
  const last = lines.findLast((line) => line.startsWith("Error: ")) ?? "";
  const [, refusal] = withCode.exec(last) ?? withStatus.exec(last) ?? [];
  return refusal;
}

/** Codes of the protocol whose cause does not pass. */
const withCode =
  /: ((?:denied|invalid request|manifest invalid|name invalid|name unknown|size invalid|tag invalid|unsupported): [^,)]+)/;

/** Without 408, 425 and 429, after which a client is to try again. */
const withStatus = /: (StatusCode: 4(?!08|25|29)\d\d)/;
