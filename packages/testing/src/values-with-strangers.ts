import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";

/** The name of the members that {@link valuesWithStrangers} adds. */
export const stranger = "not_declared";

interface JsonSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: unknown;
  readonly items?: JsonSchema;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
}

/**
 * Values that a schema accepts, with every member that it declares, and in every object that is not open a member that it does not declare.
 * Each alternative of each union is in one of them.
 * @example
 * import { Type } from "typebox";
 *
 * [...valuesWithStrangers(Type.Object({ name: Type.String() }))]; // [{ name: "a", not_declared: { not_declared: 1 } }]
 */
export function* valuesWithStrangers(schema: TSchema): Generator<unknown> {
  const count = mostAlternatives(schema as JsonSchema);
  for (let index = 0; index < count; index += 1) yield madeOf(schema as JsonSchema, index);
}

function mostAlternatives(schema: JsonSchema): number {
  const { anyOf = [], allOf = [], properties = {}, patternProperties = {}, items } = schema;
  const parts = [...anyOf, ...allOf, ...Object.values(properties), ...Object.values(patternProperties), items ?? {}];
  return Math.max(1, anyOf.length, ...parts.filter((each) => Object.keys(each).length > 0).map(mostAlternatives));
}

function madeOf(schema: JsonSchema, index: number): unknown {
  const { anyOf, allOf, type, items, maxItems = 2, uniqueItems } = schema;
  if ("const" in schema) return schema.const;
  if (schema.enum !== undefined) return schema.enum[index % schema.enum.length];
  if (anyOf !== undefined) return madeOf(anyOf[index % anyOf.length] ?? {}, index);
  if (allOf !== undefined) return Object.assign({}, ...allOf.map((each) => madeOf(each, index)));
  if (type === "array")
    return Array.from({ length: Math.min(uniqueItems ? 1 : 2, maxItems) }, (_, at) => madeOf(items ?? {}, index + at));
  if (type === "object") return objectOf(schema, index);
  return scalarOf(schema);
}

function objectOf({ properties = {}, patternProperties = {}, additionalProperties }: JsonSchema, index: number) {
  const named = Object.entries(properties).map(([name, schema]) => [name, madeOf(schema, index)]);
  const mapped = Object.entries(patternProperties).map(([pattern, schema]) => [
    texts.find((text) => new RegExp(pattern, "u").test(text)),
    madeOf(schema, index),
  ]);
  const isOpen = additionalProperties !== undefined || mapped.length > 0;
  const added = isOpen ? [] : [[stranger, { [stranger]: 1 }]];
  return Object.fromEntries([...named, ...mapped, ...added]);
}

const texts = [
  ...["a", "ab", "abcdefgh", "1", "0.5", "2030-01-01T00:00:00Z", "a@example.com", "https://a.example", "cpe:/a:b"],
  ...[`sha256:${"0".repeat(64)}`, "00000000-0000-4000-8000-000000000000", "https://a.example/x?y=1"],
];

/** The first of a few scalars that the schema accepts. */
function scalarOf(schema: JsonSchema): unknown {
  const accepted = Compile(schema as TSchema);
  const found = [...texts, 1, 0, 100, 1000, 1e9, true, null].find((each) => accepted.Check(each));
  if (found === undefined) throw new Error(`no known scalar matches ${JSON.stringify(schema)}`);
  return found;
}
