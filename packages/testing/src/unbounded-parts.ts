import type { TSchema } from "typebox";

/** The kinds of values that have a size. */
export type SizedKind = "number" | "text" | "list";

interface JsonSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly maximum?: number;
  readonly exclusiveMaximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
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
  const { type, enum: words, pattern, maximum, exclusiveMaximum, maxLength, maxItems } = schema;
  if ((type === "integer" || type === "number") && (maximum ?? exclusiveMaximum) === undefined) return "number";
  const isText = type === "string" && !("const" in schema) && words === undefined;
  if (isText && maxLength === undefined && pattern === undefined) return "text";
  return type === "array" && maxItems === undefined ? "list" : undefined;
}
