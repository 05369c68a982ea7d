/** The TypeScript type of a JSON schema, as text. Supports the keywords of our schemas. */
export function schemaType(schema: object): string {
  const { const: literal, enum: values, anyOf, type, items, patternProperties, properties } = schema as Schema;
  if (literal !== undefined) return JSON.stringify(literal);
  if (values !== undefined) return unionOf(values.map((value) => JSON.stringify(value)));
  if (anyOf !== undefined) return unionOf(anyOf.map(schemaType));
  if (type === "array") return `readonly ${grouped(schemaType(items ?? {}))}[]`;
  if (patternProperties !== undefined) {
    return `{ readonly [name: string]: ${unionOf(Object.values(patternProperties).map(schemaType))} }`;
  }
  if (properties !== undefined) return objectType(schema as Schema & { properties: Readonly<Record<string, object>> });
  return plainTypes[String(type)] ?? "unknown";
}

interface Schema {
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly object[];
  readonly type?: string;
  readonly items?: object;
  readonly patternProperties?: Readonly<Record<string, object>>;
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

const plainTypes: Readonly<Record<string, string>> = {
  boolean: "boolean",
  integer: "number",
  null: "null",
  number: "number",
  object: "{ readonly [name: string]: unknown }",
  string: "string",
};

function objectType({ properties, required = [] }: Schema & { properties: Readonly<Record<string, object>> }): string {
  const members = Object.entries(properties).map(
    ([name, schema]) => `readonly ${keyOf(name)}${required.includes(name) ? "" : "?"}: ${schemaType(schema)}`,
  );
  return members.length === 0 ? "{ readonly [name: string]: never }" : `{ ${members.join("; ")} }`;
}

function keyOf(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}

function unionOf(types: readonly string[]): string {
  return [...new Set(types)].join(" | ");
}

function grouped(type: string): string {
  return / \| |^readonly /.test(type) ? `(${type})` : type;
}
