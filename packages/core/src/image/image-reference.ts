import { ScanError } from "../errors.ts";
import { type Digest, parseDigest } from "../model/digest.ts";
import { withoutCredentials } from "../without-credentials.ts";
import { withoutUndefined } from "../without-undefined.ts";

/**
 * The name of an image in a registry, normalized as docker does.
 *
 *     reference      = name [":" tag] ["@" digest]
 *     name           = [domain "/"] path-component {"/" path-component}
 *     domain         = (domain-name | IPv4 | "[" IPv6 "]") [":" port]
 *     path-component = [a-z0-9]+ { ("_" | "__" | "." | "-"+) [a-z0-9]+ }
 *     tag            = [A-Za-z0-9_] [A-Za-z0-9_.-]{0,127}
 *
 * @see https://github.com/distribution/reference/blob/v0.6.0/reference.go#L3-L26
 */
export interface ImageReference {
  /** Host with port as written: `docker.io`, `localhost:5000`, `[::1]:5000`. */
  readonly registry: string;
  /** `library/nginx`. */
  readonly repository: string;
  /** Absent only beside a digest. */
  readonly tag?: string;
  readonly digest?: Digest;
}

/** The registry of a name without a domain. */
export const defaultRegistry = "docker.io";

const maxRepositoryLength = 255;
const domainPattern =
  /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|\[[a-f0-9:]+\])(?::[0-9]{1,5})?$/i;
const componentPattern = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
const tagPattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;

/**
 * Parses and normalizes: `nginx` is `docker.io/library/nginx:latest`.
 * @throws ScanError `unsupported_source` for text that is not an image reference, `malformed_digest` and `unsupported_digest`.
 * @example
 * parseImageReference("nginx:1.27"); // { registry: "docker.io", repository: "library/nginx", tag: "1.27" }
 */
export function parseImageReference(text: string): ImageReference {
  if (text.includes("://")) {
    const address = shown(withoutCredentials(text));
    throw new ScanError("unsupported_source", `${address} is not an image reference: expected one without a scheme`);
  }
  const at = text.indexOf("@");
  const named = at < 0 ? text : text.slice(0, at);
  const digest = at < 0 ? undefined : parseDigest(text.slice(at + 1));
  const colon = named.indexOf(":", named.lastIndexOf("/") + 1);
  const tag = colon < 0 ? undefined : named.slice(colon + 1);
  const { registry, repository } = splitDomain(colon < 0 ? named : named.slice(0, colon));
  const why =
    registryProblem(registry) ??
    repositoryProblem(registry, repository) ??
    (tag === undefined ? undefined : tagProblem(tag));
  if (why !== undefined) throw new ScanError("unsupported_source", `${shown(text)} is not an image reference: ${why}`);
  const movable = tag ?? (digest === undefined ? "latest" : undefined);
  return withoutUndefined({ registry, repository, tag: movable, digest });
}

/**
 * Formats all parts of a reference: `docker.io/library/nginx:1.27@sha256:…`.
 * @example
 * formatImageReference(parseImageReference("nginx")); // "docker.io/library/nginx:latest"
 */
export function formatImageReference(reference: ImageReference): string {
  const tag = reference.tag === undefined ? "" : `:${reference.tag}`;
  const digest = reference.digest === undefined ? "" : `@${reference.digest}`;
  return `${reference.registry}/${reference.repository}${tag}${digest}`;
}

/**
 * The first segment is a domain when it has a dot, a colon or an upper-case letter, or is `localhost`.
 * @see https://github.com/distribution/reference/blob/v0.6.0/normalize.go#L123-L150
 */
function splitDomain(name: string): { registry: string; repository: string } {
  const slash = name.indexOf("/");
  const first = name.slice(0, Math.max(slash, 0));
  const isDomain = slash >= 0 && (/[.:]/.test(first) || first === "localhost" || first.toLowerCase() !== first);
  const registry = !isDomain || first === "index.docker.io" ? defaultRegistry : first;
  const path = isDomain ? name.slice(slash + 1) : name;
  const official = registry === defaultRegistry && !path.includes("/");
  return { registry, repository: official ? `library/${path}` : path };
}

function registryProblem(registry: string): string | undefined {
  const isHost = domainPattern.test(registry) && URL.canParse(`https://${registry}`);
  return isHost ? undefined : `${shown(registry)} is not a host name with an optional port`;
}

function repositoryProblem(registry: string, repository: string): string | undefined {
  if (repository.length > maxRepositoryLength) return `the name has more than ${maxRepositoryLength} characters`;
  const bad = repository.split("/").find((component) => !componentPattern.test(component));
  if (bad !== undefined) {
    return `expected lower-case letters and digits with single separators between slashes, found ${shown(bad)}`;
  }
  if (registry === defaultRegistry && /^library\/[0-9a-f]{64}$/.test(repository)) {
    return "64 hex digits are an image id, not a name";
  }
  return undefined;
}

function tagProblem(tag: string): string | undefined {
  return tagPattern.test(tag) ? undefined : `${shown(tag)} is not a tag`;
}

function shown(text: string): string {
  return JSON.stringify(text.length > 160 ? `${text.slice(0, 160)}…` : text);
}
