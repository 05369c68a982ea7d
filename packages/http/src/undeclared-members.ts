import type { TSchema } from "typebox";
import { Clean } from "typebox/value";

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
