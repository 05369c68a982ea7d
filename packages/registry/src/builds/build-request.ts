import { createHash } from "node:crypto";
import { invalidRequest } from "../errors.ts";
import { type BuildSource, describeSource, type SourceRequest, sourceOf } from "./build-source.ts";

/** A build that has waited longer is not run. */
export const buildStaleSeconds = 86_400;

/** A build, as a client requests it. */
export interface BuildRequest extends SourceRequest {
  readonly subdirectory?: string;
  readonly dockerfile_path?: string;
  readonly context?: string;
  readonly pull_robot?: string;
  readonly tags?: readonly string[];
  readonly docker_tags?: readonly string[];
  readonly build_args?: Readonly<Record<string, string>>;
}

/** The validated parameters of a build. */
export interface BuildPlan {
  readonly source: BuildSource;
  readonly dockerfilePath: string;
  readonly context: string;
  readonly tags: readonly string[];
  readonly arguments: Readonly<Record<string, string>>;
}

/** Validates a request. @throws RegistryError `invalid_request` */
export function planBuild(request: BuildRequest): BuildPlan {
  const { subdirectory, dockerfile_path } = request;
  const source = sourceOf(request);
  if (subdirectory !== undefined && dockerfile_path !== undefined) {
    throw invalidRequest("subdirectory cannot be combined with dockerfile_path");
  }
  return { source, ...placesOf(request), tags: tagsOf(request), arguments: argumentsOf(request) };
}

function placesOf({ subdirectory, dockerfile_path: path, context }: BuildRequest) {
  if (path !== undefined) {
    const dockerfilePath = rooted("dockerfile_path", path);
    return { dockerfilePath, context: context === undefined ? folderOf(dockerfilePath) : rooted("context", context) };
  }
  const folder = rooted("subdirectory", subdirectory ?? "/");
  const dockerfilePath = folder === "/" ? "/Dockerfile" : `${folder}/Dockerfile`;
  return { dockerfilePath, context: context === undefined ? folder : rooted("context", context) };
}

/** A path inside the archive, beginning with a slash. @throws RegistryError `invalid_request` for a path with `..` */
function rooted(field: string, path: string): string {
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("..")) throw invalidRequest(`${field}: leads out of the archive`);
  return `/${segments.join("/")}`;
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf("/")));
}

/** The tags, from either member of the contract. Characters that tags cannot have are replaced. */
function tagsOf({ tags, docker_tags }: BuildRequest): readonly string[] {
  const given = tags ?? docker_tags ?? ["latest"];
  return [
    ...new Set(
      given.map((tag) =>
        tag
          .replace(/[^\w.-]/g, "_")
          .replace(/^[.-]/, "_")
          .slice(0, 127),
      ),
    ),
  ];
}

/** How many values of arguments a build may have. */
export const maxArguments = 100;

function argumentsOf({ build_args = {} }: BuildRequest): Readonly<Record<string, string>> {
  if (Object.keys(build_args).length > maxArguments) throw invalidRequest(`build_args: more than ${maxArguments}`);
  for (const [name, value] of Object.entries(build_args)) {
    if (!/^[A-Za-z_]\w{0,127}$/.test(name))
      throw invalidRequest(`build_args: ${name.slice(0, 128)} is no name of an argument`);
    if (value.includes("\0")) throw invalidRequest(`build_args: ${name} has a value with a zero byte`);
  }
  return build_args;
}

/** The short name of a build: 7 hexadecimal digits of a hash of its source. */
export function buildName(source: BuildSource): string {
  return createHash("sha224").update(describeSource(source)).digest("hex").slice(0, 7);
}
