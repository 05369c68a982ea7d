import { problemOfJson, usualJsonLimits } from "@plimsoll/core/internal/json-shape";
import type { TObject, TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { Clean } from "typebox/value";
import { RequestError } from "./errors.ts";
import { schemaProblem } from "./schema-problem.ts";

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

/** Removes what a schema does not declare from a value that matches it. The value is changed. */
type RemoveUndeclared = (value: unknown) => unknown;

/** The keywords of JSON Schema that have a meaning for the members or the items of a value. */
const structural = ["properties", "patternProperties", "additionalProperties", "items", "prefixItems", "$ref"] as const;
const composing = ["anyOf", "allOf", "oneOf", "not", "if"] as const;

interface Keywords {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly additionalProperties?: unknown;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
}

/** The pattern of the names of a map whose names may be any text. */
const anyName = /^.*$/u;

/**
 * Prepares the removal once for each schema, since typebox's `Clean` reads the schema again for each value, which takes fifty times as long
 * as the check. Objects with named members, maps, arrays and choices between these are prepared; other parts are left to `Clean`.
 * @returns undefined if values of the schema have nothing to remove
 */
export function undeclaredRemover(schema: TSchema): RemoveUndeclared | undefined {
  const { properties, patternProperties = {}, additionalProperties, items, anyOf } = schema as Keywords;
  const used = [...structural, ...composing].filter((keyword) => keyword in schema);
  if (used.length === 0) return undefined;
  const found = used.filter((keyword) => keyword !== "additionalProperties" || additionalProperties !== false);
  const [[pattern, member] = [], ...others] = Object.entries(patternProperties);
  if (found.join() === "properties" && properties) return memberRemover(properties);
  if (found.join() === "properties,additionalProperties" && properties && additionalProperties === true)
    return openMemberRemover(properties);
  if (found.join() === "patternProperties" && pattern === anyName.source && member && others.length === 0)
    return mapRemover(anyName, undeclaredRemover(member));
  if (found.join() === "items" && items !== undefined && !Array.isArray(items)) return itemRemover(items);
  if (found.join() === "anyOf" && anyOf && areOfDifferentTypes(anyOf)) return choiceRemover(anyOf);
  return (value) => Clean(schema, value);
}

function memberRemover(properties: Readonly<Record<string, TSchema>>): RemoveUndeclared {
  const declared = new Map(Object.entries(properties).map(([name, schema]) => [name, undeclaredRemover(schema)]));
  return (value) => {
    const members = value as Record<string, unknown>;
    for (const name of Object.keys(members)) {
      if (!declared.has(name)) delete members[name];
      else {
        const remove = declared.get(name);
        if (remove !== undefined) members[name] = remove(members[name]);
      }
    }
    return members;
  };
}

/** For objects that may have other members, too. */
function openMemberRemover(properties: Readonly<Record<string, TSchema>>): RemoveUndeclared | undefined {
  const removers = Object.entries(properties).flatMap(([name, schema]) => {
    const remove = undeclaredRemover(schema);
    return remove === undefined ? [] : [[name, remove] as const];
  });
  if (removers.length === 0) return undefined;
  return (value) => {
    const members = value as Record<string, unknown>;
    for (const [name, remove] of removers) if (Object.hasOwn(members, name)) members[name] = remove(members[name]);
    return members;
  };
}

function mapRemover(pattern: RegExp, remove: RemoveUndeclared | undefined): RemoveUndeclared {
  return (value) => {
    const members = value as Record<string, unknown>;
    for (const name of Object.keys(members)) {
      if (!pattern.test(name)) delete members[name];
      else if (remove !== undefined) members[name] = remove(members[name]);
    }
    return members;
  };
}

function itemRemover(items: TSchema): RemoveUndeclared | undefined {
  const remove = undeclaredRemover(items);
  if (remove === undefined) return undefined;
  return (value) => {
    const list = value as unknown[];
    for (const [index, item] of list.entries()) list[index] = remove(item);
    return list;
  };
}

const typeOf = (schema: TSchema) => (schema as Keywords).type;

/** Whether at most one alternative describes objects, at most one describes arrays, and the others describe neither. */
function areOfDifferentTypes(schemas: readonly TSchema[]): boolean {
  const structured = schemas.filter((each) => ["object", "array"].includes(String(typeOf(each))));
  const types = new Set(structured.map(typeOf));
  const areOthersScalar = schemas.every((each) => structured.includes(each) || isScalar(each));
  return types.size === structured.length && areOthersScalar;
}

/** A schema without a type, such as that of any value, may describe objects. Constants and enumerations do not. */
function isScalar(schema: TSchema): boolean {
  return typeof typeOf(schema) === "string" || "const" in schema || "enum" in schema;
}

function choiceRemover(schemas: readonly TSchema[]): RemoveUndeclared | undefined {
  const remover = (type: string) => {
    const schema = schemas.find((each) => typeOf(each) === type);
    return schema && undeclaredRemover(schema);
  };
  const [ofObject, ofArray] = [remover("object"), remover("array")];
  if (ofObject === undefined && ofArray === undefined) return undefined;
  return (value) => {
    if (typeof value !== "object" || value === null) return value;
    const remove = Array.isArray(value) ? ofArray : ofObject;
    return remove === undefined ? value : remove(value);
  };
}
