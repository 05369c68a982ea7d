import type { IncomingHttpHeaders } from "node:http";
import { checkContentEncoding, checkOf, parseBody, queryConverter } from "@plimsoll/http";
import { invalidRequest } from "../errors.ts";
import { isBodyOptional, type RegistryOperation } from "../operation.ts";
import { checkTexts } from "./check-texts.ts";

/** Checks the query and the body of a request and gives them as the operation's schemas say. @throws RegistryError, RequestError */
export interface RequestReader {
  query(given: Readonly<Record<string, unknown>>): unknown;
  body(bytes: Uint8Array | undefined, headers: IncomingHttpHeaders): unknown;
}

type Declared = Pick<RegistryOperation, "query" | "body">;

/** Compiling the schemas takes most of the time in which a registry is opened, and several of a process have the same. */
const readers = new WeakMap<Declared, RequestReader>();

/** The reader of an operation's requests. Members that a schema does not name are ignored. */
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
  const checkBody = body && checkOf("body", body);
  return {
    query(given) {
      const converted = convertQuery?.(given) ?? {};
      for (const name in converted) checkTexts(converted[name], "query"); // the names are the schema's
      checkQuery?.(converted);
      return converted;
    },
    body(bytes, headers) {
      if (checkBody === undefined) return undefined;
      const isMissing = bytes === undefined || bytes.length === 0;
      if (isMissing && mayBeMissing) return {};
      if (isMissing) throw invalidRequest("Missing JSON body");
      checkContentEncoding(headers);
      checkContentType(headers["content-type"]);
      const parsed = parseBody(bytes);
      checkTexts(parsed, "body");
      checkBody(parsed);
      return parsed;
    },
  };
}

/** Every word but these says yes, as clients of such registries are used to. */
function isTruthy(text: string): boolean {
  return !["false", "0", "", "null"].includes(text.toLowerCase());
}

function checkContentType(contentType: string | undefined): void {
  if (contentType === undefined || /^application\/(?:[\w.-]+\+)?json\b/i.test(contentType)) return;
  throw invalidRequest(`Content-Type: expected application/json, found ${contentType.slice(0, 100)}`);
}
