/**
 * The page that an address of the console names. Namespaces and images have addresses like their references: `/library`,
 * `/library/app`, `/library/app:1.2`, `/library/app@sha256:…`. A namespace with the name of another page is below `/namespace/`. Links
 * in notifications name repositories below `/repository/`, as their receivers expect: `/repository/library/app`.
 */
export type Place =
  | { readonly kind: "home" }
  | { readonly kind: "search" }
  | { readonly kind: "account" }
  | { readonly kind: "admin" }
  | { readonly kind: "explorer" }
  | { readonly kind: "vulnerability"; readonly id: string }
  | { readonly kind: "namespace"; readonly namespace: string }
  | { readonly kind: "repository"; readonly namespace: string; readonly repository: string }
  | { readonly kind: "image"; readonly namespace: string; readonly repository: string; readonly reference: Reference }
  | { readonly kind: "unknown" };

/** The tag or the digest of an image in its repository. */
export type Reference =
  | { readonly kind: "tag"; readonly tag: string }
  | { readonly kind: "digest"; readonly digest: string };

/** Pages with one path segment. Addresses below them are repositories, because users are often called `admin`. */
const pages = ["account", "admin", "explorer", "search"] as const;

/** The first segment of the pages of vulnerabilities: `/cve/CVE-2024-45491`. */
const vulnerabilitySegment = "cve";

/** First segments that precede a namespace. */
const namespacePrefixes: ReadonlySet<string> = new Set(["namespace", "repository"]);

/** First segments of addresses of the server or of other pages, which therefore name no namespace. */
const serverSegments: ReadonlySet<string> = new Set([
  ...["-", "api", "config", "csrf_token", "keys", "oauth", "signin", "signout", "v2"],
  ...namespacePrefixes,
  vulnerabilitySegment,
  ...["healthz", "indexer", "matcher", "notifier", "metrics", "openapi", "readyz", "robots.txt"],
]);

/** Parses the path of an address. */
export function placeOf(path: string): Place {
  const [first = "", ...segments] = path.split("/").slice(1).map(decode);
  const rest = segments.filter((each) => each !== "");
  if (first === "") return { kind: "home" };
  if (isPage(first) && rest.length === 0) return { kind: first };
  if (first === vulnerabilitySegment && rest[0] !== undefined && rest.length === 1)
    return { kind: "vulnerability", id: rest[0] };
  const hasPrefix = namespacePrefixes.has(first);
  const [namespace = "", ...names] = hasPrefix ? rest : [first, ...rest];
  if (namespace === "" || (!hasPrefix && serverSegments.has(first))) return { kind: "unknown" };
  const name = names.join("/");
  return name === "" ? { kind: "namespace", namespace } : placeOfName(namespace, name);
}

function isPage(segment: string): segment is (typeof pages)[number] {
  return pages.some((page) => page === segment);
}

function placeOfName(namespace: string, name: string): Place {
  const [byDigest = "", digest] = name.split("@");
  if (digest !== undefined) {
    return { kind: "image", namespace, repository: byDigest, reference: { kind: "digest", digest } };
  }
  const [repository = "", tag] = name.split(":");
  if (tag === undefined) return { kind: "repository", namespace, repository };
  return { kind: "image", namespace, repository, reference: { kind: "tag", tag } };
}

/** Whether a path equals another or is below it: `/admin/app:1` is below the namespace `admin` and not below the page `/admin`. */
export function isWithin(path: string, above: string): boolean {
  const [inner, outer] = [placeOf(path), placeOf(above)];
  if (outer.kind === "namespace") return "namespace" in inner && inner.namespace === outer.namespace;
  return inner.kind === outer.kind;
}

/** The address of a namespace. */
export function namespacePath(namespace: string): string {
  return isPage(namespace) ? `/namespace/${namespace}` : pathBelow(namespace);
}

function pathBelow(namespace: string): string {
  return `${serverSegments.has(namespace) ? "/namespace" : ""}/${encodeURIComponent(namespace)}`;
}

/** The address of a repository. */
export function repositoryPath(namespace: string, repository: string): string {
  return `${pathBelow(namespace)}/${repository.split("/").map(encodeURIComponent).join("/")}`;
}

/** The address of a repository. @param name NAMESPACE/NAME */
export function namedRepositoryPath(name: string): string {
  return repositoryPath(...partsOfName(name));
}

/** Splits NAMESPACE/NAME of a repository. */
export function partsOfName(name: string): readonly [namespace: string, repository: string] {
  const slash = name.indexOf("/");
  return [name.slice(0, slash), name.slice(slash + 1)];
}

/** The address of an image. */
export function imagePath(namespace: string, repository: string, reference: Reference): string {
  const path = repositoryPath(namespace, repository);
  return reference.kind === "tag" ? `${path}:${encodeURIComponent(reference.tag)}` : `${path}@${reference.digest}`;
}

/** The address of a vulnerability. */
export function vulnerabilityPath(id: string): string {
  return `/${vulnerabilitySegment}/${encodeURIComponent(id)}`;
}

/** Whether a text has the form of a vulnerability id: `CVE-2024-45491`, `GHSA-…`, `DSA-5532-1`, `RHSA-2023:5931`, `ALAS2023-2023-356`. */
export function isVulnerabilityId(text: string): boolean {
  return /^(?:GHSA(?:-[0-9a-z]{4}){3}|(?:[a-z]{2,}\d*-)+\d{4,}(?:[-:]\w+)+)$/i.test(text);
}

/** The address of a search. */
export function searchPath(text: string): string {
  return `/search?${new URLSearchParams({ q: text })}`;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // malformed escapes: no name has them
  }
}
