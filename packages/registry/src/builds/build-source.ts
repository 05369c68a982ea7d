import { isDigest } from "@plimsoll/core/digest";
import { invalidRequest } from "../errors.ts";
import type { BuildRow } from "./queries.ts";

/** The source of a build. */
export type BuildSource =
  | { readonly kind: "archive"; readonly url: string }
  /** A blob that was pushed into the repository. */
  | { readonly kind: "upload"; readonly digest: string }
  | GitReference;

/** A commit of a git repository. */
export interface GitReference {
  readonly kind: "git";
  /** `https:`, without credentials. */
  readonly url: string;
  /** A branch, a tag, or the hash of a commit. */
  readonly ref: string;
}

/** The members of a request that name a source. */
export interface SourceRequest {
  readonly archive_url?: string;
  readonly file_id?: string;
  readonly git_url?: string;
  readonly git_ref?: string;
}

/** The source that a request names. @throws RegistryError `invalid_request` unless it names exactly one */
export function sourceOf({ archive_url, file_id, git_url, git_ref }: SourceRequest): BuildSource {
  if ([archive_url, file_id, git_url].filter((each) => each !== undefined).length > 1)
    throw invalidRequest("archive_url, file_id and git_url cannot be combined");
  if (git_url !== undefined) return { kind: "git", url: gitUrl(git_url), ref: gitRef(git_ref ?? "HEAD") };
  if (git_ref !== undefined) throw invalidRequest("git_ref: expected git_url as well");
  if (file_id !== undefined) return { kind: "upload", digest: uploadDigest(file_id) };
  if (archive_url === undefined) throw invalidRequest("archive_url required");
  const scheme = URL.canParse(archive_url) ? new URL(archive_url).protocol : undefined;
  if (scheme !== "http:" && scheme !== "https:") throw invalidRequest("Invalid Archive URL: Must be http or https");
  return { kind: "archive", url: archive_url };
}

function uploadDigest(fileId: string): string {
  if (isDigest(fileId)) return fileId;
  throw invalidRequest(
    "file_id: expected the digest of a blob that was pushed into the repository; identifiers of older build systems cannot be used",
  );
}

function gitUrl(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol !== "https:") throw invalidRequest("git_url: expected an address that begins with https:");
  if (url.username !== "" || url.password !== "")
    throw invalidRequest("git_url: expected an address without credentials: the log shows it");
  return url.href;
}

/** @see https://git-scm.com/docs/git-check-ref-format */
function gitRef(text: string): string {
  const isRef = /^[\w][\w./+@-]{0,254}$/.test(text) && !/\.\.|@\{|\/\/|\.lock$|[./]$/.test(text);
  if (isRef) return text;
  throw invalidRequest("git_ref: expected a branch, a tag or the hash of a commit");
}

/** The source of a stored build. */
export function storedSource({ source, archive_url: url }: Pick<BuildRow, "source" | "archive_url">): BuildSource {
  return source === null ? { kind: "archive", url } : (JSON.parse(source) as BuildSource);
}

/** The columns that store a source. */
export function sourceColumns(source: BuildSource): Pick<BuildRow, "source" | "archive_url"> {
  return source.kind === "archive"
    ? { source: null, archive_url: source.url }
    : { source: JSON.stringify(source), archive_url: "" };
}

/** A source as one line of text, for display and for the name of the build. */
export function describeSource(source: BuildSource): string {
  if (source.kind === "archive") return source.url;
  return source.kind === "upload" ? source.digest : `${source.url}#${source.ref}`;
}
