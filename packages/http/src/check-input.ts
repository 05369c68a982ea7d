import { problemOfJson, usualJsonLimits } from "@plimsoll/core/internal/json-shape";
import type { TObject, TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { RequestError } from "./errors.ts";
import { schemaProblem } from "./schema-problem.ts";
import { undeclaredRemover } from "./undeclared-members.ts";

/** Throws unless a value matches its schema. */
export type Check = (value: unknown) => void;

/**
 * Returns a check for one part of a request. Members that the schema does not declare pass. The schema is compiled at the first use,
 * because compiling the hundreds of schemas of a server would delay its start.
 * @param part `body`, `path` or `query`: the beginning of the pointer in the message
 * @example
 * import { Type } from "typebox";
 *
 * const check = checkOf("query", Type.Object({ limit: Type.Integer({ maximum: 100 }) }));
 * check({ limit: 10 }); // passes; { limit: 1000 } throws "query/limit: must be <= 100"
 */
export function checkOf(part: string, schema: TSchema): Check {
  let compiled: Validator | undefined;
  return (value) => {
    compiled ??= Compile(schema);
    if (compiled.Check(value)) return;
    throw new RequestError("malformed_request", `${part}${schemaProblem(compiled.Errors(value))}`);
  };
}

/** Checks a value, and returns it with only the declared members. */
export type ReadValue = (value: unknown) => unknown;

/**
 * Returns a function that checks one part of a request as {@link checkOf} does, and then removes all members that the schema does not
 * declare, at every level. What handlers get is therefore safe to copy as a whole, into a row of a database for example. The given value
 * is changed.
 * @param part `body`, `path` or `query`: the beginning of the pointer in the message
 * @example
 * import { Type } from "typebox";
 *
 * const read = readerOf("body", Type.Object({ name: Type.String() }));
 * read({ name: "cup", isExpanded: true }); // { name: "cup" }
 */
export function readerOf(part: string, schema: TSchema): ReadValue {
  const check = checkOf(part, schema);
  const remove = undeclaredRemover(schema);
  return (value) => {
    check(value);
    return remove === undefined ? value : remove(value);
  };
}

/** Converts query parameters to values. */
export type ConvertQuery = (query: Readonly<Record<string, unknown>>) => Record<string, unknown>;

/** Parses a boolean query parameter; undefined for another text. */
export type ReadTruth = (text: string) => boolean | undefined;

/**
 * Returns a function that converts query parameters to the types of their schema. A value that cannot be converted stays text, which the
 * check rejects.
 * @example
 * import { Type } from "typebox";
 *
 * const convert = queryConverter(Type.Object({ limit: Type.Integer(), all: Type.Boolean() }));
 * convert({ limit: "10", all: "true", other: "x" }); // { limit: 10, all: true }
 */
export function queryConverter(schema: TObject, readTruth: ReadTruth = wordOfTruth): ConvertQuery {
  const properties = Object.entries(schema.properties);
  return (query) => {
    const converted: Record<string, unknown> = {};
    for (const [name, property] of properties) {
      const given = query[name];
      if (given !== undefined)
        converted[name] = typeof given === "string" ? fromText(property, given, readTruth) : given;
    }
    return converted;
  };
}

function fromText(schema: TSchema, text: string, readTruth: ReadTruth): unknown {
  const type = "type" in schema ? schema.type : undefined;
  if (type === "integer" && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === "boolean") return readTruth(text) ?? text;
  return text;
}

function wordOfTruth(text: string): boolean | undefined {
  return booleans.get(text.toLowerCase());
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["t", true],
  ["1", true],
  ["false", false],
  ["f", false],
  ["0", false],
]);

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses a JSON body.
 * @param limits how many values it may have, and how deep they may be nested
 * @throws RequestError `malformed_request`
 * @example
 * parseBody(new TextEncoder().encode('{"name": "cup"}')); // { name: "cup" }
 */
export function parseBody(bytes: Uint8Array | undefined, limits = usualJsonLimits): unknown {
  if (bytes === undefined || bytes.length === 0) {
    throw new RequestError("malformed_request", "body: expected JSON, found nothing");
  }
  const text = asJson(() => utf8.decode(bytes));
  const problem = problemOfJson(text, limits);
  if (problem !== undefined) throw new RequestError("malformed_request", `body: ${problem}`);
  return asJson(() => JSON.parse(text) as unknown);
}

function asJson<Read>(read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new RequestError("malformed_request", `body: expected JSON: ${reason}`, { cause: error });
  }
}
