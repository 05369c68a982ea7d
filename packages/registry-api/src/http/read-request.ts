import type { IncomingHttpHeaders } from "node:http";
import { checkContentEncoding, checkOf, parseBody, queryConverter, readerOf } from "@plimsoll/http";
import { invalidRequest } from "@plimsoll/registry/errors";
import { isBodyOptional, type RegistryOperation } from "../operation.ts";
import { checkTexts } from "./check-texts.ts";

/** Validates and converts the query and the body of a request by the operation's schemas. @throws RegistryError, RequestError */
export interface RequestReader {
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
