import type { TObject, TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { invalidRequest } from "../errors.ts";
import type { AnyOperation } from "../operation.ts";
import { checkTexts } from "./check-texts.ts";

/** Checks the query and the body of a request and gives them as the operation's schemas say. @throws RegistryError */
export interface RequestReader {
  query(given: Readonly<Record<string, unknown>>): unknown;
  body(bytes: Uint8Array | undefined, contentType: string | undefined): unknown;
}

/** The reader of an operation's requests. Members that a schema does not name are ignored. */
export function requestReader({ query, body, bodyOptional = false }: AnyOperation): RequestReader {
  const checkQuery = query && checker(query);
  const checkBody = body && checker(body);
  return {
    query(given) {
      if (query === undefined || checkQuery === undefined) return {};
      const converted = convertQuery(query, given);
      checkTexts(converted, "query");
      checkQuery(converted, "query");
      return converted;
    },
    body(bytes, contentType) {
      if (checkBody === undefined) return undefined;
      const isMissing = bytes === undefined || bytes.length === 0;
      if (isMissing && bodyOptional) return {};
      if (isMissing) throw invalidRequest("Missing JSON body");
      checkContentType(contentType);
      const parsed = parseJson(bytes);
      checkTexts(parsed, "body");
      checkBody(parsed, "body");
      return parsed;
    },
  };
}

type Check = (value: unknown, part: string) => void;

function checker(schema: TSchema): Check {
  const compiled = Compile(schema);
  return (value, part) => {
    if (compiled.Check(value)) return;
    const [first] = compiled.Errors(value);
    throw invalidRequest(`${part}${first?.instancePath ?? ""}: ${first?.message ?? "malformed"}`);
  };
}

function checkContentType(contentType: string | undefined): void {
  if (contentType === undefined || /^application\/(?:[\w.-]+\+)?json\b/i.test(contentType)) return;
  throw invalidRequest(`Content-Type: expected application/json, found ${contentType.slice(0, 100)}`);
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw invalidRequest(`body: is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

/** Text as the values that the schema asks for; what cannot be converted stays text, and the check refuses it. */
function convertQuery(schema: TObject, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema.properties).flatMap(([name, property]) => {
      const value = given[name];
      if (value === undefined) return [];
      return [[name, typeof value === "string" ? fromText(property, value) : value]];
    }),
  );
}

function fromText(schema: TSchema, text: string): unknown {
  const type = "type" in schema ? schema.type : undefined;
  if (type === "integer" && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === "boolean") return !["false", "0", "", "null"].includes(text.toLowerCase());
  return text;
}
