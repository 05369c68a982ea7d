import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import {
  askForBody,
  checkContentEncoding,
  checkOf,
  type Operation,
  parseBody,
  queryConverter,
  readerOf,
} from "@plimsoll/http";
import { type AccessRequest, checkScope, type Params } from "@plimsoll/registry/access/access";
import { splitRepository } from "@plimsoll/registry/access/on-repository";
import { findImageRepository } from "@plimsoll/registry/access/queries";
import { invalidRequest, RegistryError } from "@plimsoll/registry/errors";
import { turnOfBody } from "@plimsoll/store";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isBodyOptional, type RegistryOperation } from "../operation.ts";
import type { ManagementExchange } from "./management-state.ts";

/** Validates and converts the query and the body of a request by the operation's schemas. @throws RegistryError, RequestError */
interface RequestReader {
  query(given: Readonly<Record<string, unknown>>): unknown;
  body(bytes: Uint8Array | undefined, headers: IncomingHttpHeaders): unknown;
}

/** The limits of bodies, of which each text is checked. The largest lists that requests have are those of mirrors: 2,000 names. */
const bodyLimits = { mostValues: 20_000, mostDepth: 100 } as const;

type Declared = Pick<RegistryOperation, "query" | "body" | "needsBody">;

/** Cached, because compiling the schemas takes most of the time of opening a registry, and registries of one process share them. */
const readers = new WeakMap<Declared, RequestReader>();

/** The reader of an operation's requests. What it returns has only the members that the schemas declare. */
export function requestReader(operation: Declared): RequestReader {
  const reader = readers.get(operation) ?? createReader(operation);
  readers.set(operation, reader);
  return reader;
}

function createReader(operation: Declared): RequestReader {
  const { query, body } = operation;
  const mayBeMissing = isBodyOptional(operation);
  const convertQuery = query && queryConverter(query, isTruthy);
  const checkQuery = query && checkOf("query", query);
  const readBody = body && readerOf("body", body);
  return {
    query(given) {
      const converted = convertQuery?.(given) ?? {};
      for (const name in converted) checkTexts(converted[name], "query"); // the names are those of the schema
      checkQuery?.(converted);
      return converted;
    },
    body(bytes, headers) {
      if (readBody === undefined) return undefined;
      const isMissing = bytes === undefined || bytes.length === 0;
      if (isMissing && mayBeMissing) return readBody({});
      if (isMissing) throw invalidRequest("Missing JSON body");
      checkContentEncoding(headers);
      checkContentType(headers["content-type"]);
      const parsed = parseBody(bytes, bodyLimits);
      checkTexts(parsed, "body");
      return readBody(parsed);
    },
  };
}

/** Every text except these is true, because existing clients rely on that. */
function isTruthy(text: string): boolean {
  return !["false", "0", "", "null"].includes(text.toLowerCase());
}

function checkContentType(contentType: string | undefined): void {
  if (contentType === undefined || /^application\/(?:[\w.-]+\+)?json\b/i.test(contentType)) return;
  throw invalidRequest(`Content-Type: expected application/json, found ${contentType.slice(0, 100)}`);
}

/** Reads the body of a request whose caller is admitted. @returns undefined if it has none @throws RegistryError `too_large` */
export async function readAdmittedBody(
  request: FastifyRequest,
  reply: FastifyReply,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  if (request.body === undefined) return undefined;
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  askForBody({ request: request.raw, response: reply.raw });
  const body = await readUpTo(request.body as Readable, maxBytes).catch(() => {
    throw invalidRequest("The connection ended before the body did");
  });
  if (body === undefined) throw tooLarge(maxBytes);
  return body;
}

async function readUpTo(source: Readable, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of source.iterator({ destroyOnReturn: false })) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  await turnOfBody(sizeBytes);
  return Buffer.concat(chunks);
}

function tooLarge(maxBytes: number): RegistryError {
  return new RegistryError("too_large", `The body is too large: expected at most ${maxBytes} bytes`);
}

/** The deepest nesting of values: more than real requests have, and not enough to overflow the call stack. */
const maxDepth = 100;

/** Control characters except tabs and line breaks, and lone surrogates. PostgreSQL cannot store all of them. */
const forbidden = /[\p{Cs}]|[^\P{Cc}\t\n\r]/u;

/**
 * Refuses values that are nested too deeply, and forbidden characters in texts and in names of members.
 * @throws RegistryError `invalid_request`
 */
export function checkTexts(value: unknown, part: string, depth = 0): void {
  if (typeof value === "string") checkText(value, part);
  if (typeof value !== "object" || value === null) return;
  if (depth === maxDepth) throw invalidRequest(`${part}: is nested more than ${maxDepth} deep`);
  for (const name of Object.keys(value)) {
    checkText(name, part);
    checkTexts((value as Readonly<Record<string, unknown>>)[name], part, depth + 1);
  }
}

/** Whether a text can be a name in a path: without control characters, and no longer than the longest name of a robot. */
export function isPathText(text: string): boolean {
  return text.length <= 511 && !/[\p{Cs}\p{Cc}]/u.test(text);
}

function checkText(text: string, part: string): void {
  const [found] = forbidden.exec(text) ?? [];
  if (found === undefined) return;
  const code = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  throw invalidRequest(`${part}: a string contains the character U+${code}`);
}

/**
 * Refuses a change whose path can also mean another operation on another repository, if the caller may do that one, too: without escaped
 * slashes, `DELETE /repository/acme/app/tag/x` deletes the tag `x` of `acme/app`, or the repository `acme/app/tag/x`. What the caller may
 * not do is no other meaning, so that the refusal does not reveal which repositories exist.
 * @throws RegistryError `invalid_request`
 */
export async function refuseAmbiguousPath(
  { otherReadings, params }: ManagementExchange,
  operation: RegistryOperation,
  admission: AccessRequest,
): Promise<void> {
  for (const { operation: read, params: otherParams } of otherReadings) {
    const other = read as RegistryOperation; // the router has only these
    if (!(await mayDo(other, { ...admission, params: otherParams }))) continue;
    const meanings = [escapedPath(operation, params as Params), escapedPath(other, otherParams)].join(" or ");
    throw invalidRequest(`Ambiguous path: write the slashes in the name of the repository as %2F, so ${meanings}`);
  }
}

/** Whether the caller may do an operation on a repository that exists. */
async function mayDo({ access }: RegistryOperation, admission: AccessRequest): Promise<boolean> {
  const { namespace, name } = splitRepository(admission.params.repository ?? "");
  if ((await findImageRepository(admission.db, namespace, name)) === undefined) return false;
  try {
    checkScope(admission.principal, access.scope);
    await access.admit(admission as never);
    return true;
  } catch (error) {
    if (error instanceof RegistryError) return false;
    throw error;
  }
}

/** `DELETE /api/v1/repository/acme%2Fapp/tag/x` */
function escapedPath({ method, path }: Pick<Operation, "method" | "path">, params: Params): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  return `${method} /api/v1${filled}`;
}
