import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";

/** The kinds of values that have a size. `anything` is a value of any form, and `map` an object whose members have any names. */
export type SizedKind = "number" | "text" | "list" | "map" | "anything";

interface JsonSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly maximum?: number;
  readonly exclusiveMaximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
}

/**
 * The parts of a schema whose values may have any size, each as its path and its kind.
 * @example
 * import { Type } from "typebox";
 *
 * unboundedParts(Type.Object({ limit: Type.Integer() })); // [{ path: "/limit", kind: "number" }]
 */
export function unboundedParts(
  schema: TSchema | undefined,
): readonly { readonly path: string; readonly kind: SizedKind }[] {
  return schema === undefined ? [] : partsOf(schema as JsonSchema, "");
}

function partsOf(schema: JsonSchema, path: string): ReturnType<typeof unboundedParts> {
  const { properties = {}, patternProperties = {}, anyOf = [], allOf = [], items } = schema;
  if (Object.values(patternProperties).some(isAnything))
    return hugeObjects.some((each) => accepts(schema, each)) ? [{ path, kind: "map" }] : [];
  const kind = unboundedKind(schema);
  return [
    ...(kind === undefined ? [] : [{ path, kind }]),
    ...[...anyOf, ...allOf].flatMap((each) => partsOf(each, path)),
    ...Object.entries(properties).flatMap(([name, each]) => partsOf(each, `${path}/${name}`)),
    ...Object.values(patternProperties).flatMap((each) => partsOf(each, `${path}/*`)),
    ...(items === undefined ? [] : partsOf(items, `${path}/0`)),
  ];
}

function unboundedKind(schema: JsonSchema): SizedKind | undefined {
  const { type, enum: words, pattern, maximum, exclusiveMaximum, maxLength, maxItems, maxProperties } = schema;
  if (schema.patternProperties !== undefined && maxProperties === undefined) return "map";
  if (isAnything(schema) && accepts(schema, hugeText)) return "anything";
  if ((type === "integer" || type === "number") && (maximum ?? exclusiveMaximum) === undefined) return "number";
  const isText = type === "string" && !("const" in schema) && words === undefined;
  if (isText && maxLength === undefined && pattern === undefined) return "text";
  return type === "array" && maxItems === undefined ? "list" : undefined;
}

/** Keywords that limit nothing. */
const annotations: ReadonlySet<string> = new Set(["title", "description", "default", "examples"]);

const hugeText = "a".repeat(1_000_000);

/** Objects that are too large for what limits the members of an object together: by one member, and by many. */
const hugeObjects = [
  { a: hugeText },
  Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`a${index}`, 1])),
];

function isAnything(schema: JsonSchema): boolean {
  return Object.keys(schema).every((name) => annotations.has(name));
}

/** Whether a schema accepts a value; a refinement of it can only be seen so. */
function accepts(schema: JsonSchema, value: unknown): boolean {
  return Compile(schema as TSchema).Check(value);
}
