import { describe, expect, it } from "vitest";
import { registryOperations } from "../operations.ts";
import { type ContractMember, readParameters } from "./fixtures/read-parameters.ts";

/** The parts of a JSON schema that matter here. */
interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

const declared = new Map(registryOperations.map((operation) => [operation.id, operation]));

describe("registryOperations", () => {
  it.each(readParameters())("declare the parameters of line $line of the contract: $id $place", (written) => {
    const schema = (declared.get(written.id)?.[written.place] ?? {}) as JsonSchema;

    expect(written.members.flatMap((member) => problemsOf(member, schema))).toEqual([]);
    const required = written.members.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    expect([...(schema.required ?? [])].sort()).toEqual([...required].sort());
  });
});

function problemsOf({ name, type }: ContractMember, { properties = {} }: JsonSchema): readonly string[] {
  const schema = properties[name];
  if (schema === undefined) return [`${name} is missing`];
  const types = typesOf(schema);
  return type === "any" || types.includes(type) ? [] : [`${name}: expected ${type}, found ${types.join(" or ")}`];
}

function typesOf(schema: JsonSchema): readonly string[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(typesOf);
  const values = schema.const === undefined ? (schema.enum ?? []) : [schema.const];
  return schema.type === undefined ? values.map((value) => typeof value) : [schema.type];
}
