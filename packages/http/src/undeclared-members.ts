import type { TSchema } from "typebox";
import { Clean } from "typebox/value";

/** Removes what a schema does not declare from a value that matches it. The value is changed. */
type RemoveUndeclared = (value: unknown) => unknown;

/** The keywords of JSON Schema that have a meaning for the members or the items of a value. */
const structural = ["properties", "patternProperties", "additionalProperties", "items", "prefixItems", "$ref"] as const;
const composing = ["anyOf", "allOf", "oneOf", "not", "if"] as const;

interface Keywords {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
}

/**
 * Prepares the removal once for each schema, since typebox's `Clean` reads the schema again for each value, which takes fifty times as long
 * as the check. Only objects with named members and arrays are prepared; other parts are left to `Clean`.
 * @returns undefined if values of the schema have nothing to remove
 */
export function undeclaredRemover(schema: TSchema): RemoveUndeclared | undefined {
  const { properties, items, anyOf } = schema as Keywords;
  const found = [...structural, ...composing].filter((keyword) => keyword in schema);
  if (found.length === 0) return undefined;
  if (found.join() === "properties" && properties !== undefined) return memberRemover(properties);
  if (found.join() === "items" && items !== undefined && !Array.isArray(items)) return itemRemover(items);
  const isScalar = found.join() === "anyOf" && anyOf?.every((each) => undeclaredRemover(each) === undefined);
  return isScalar ? undefined : (value) => Clean(schema, value);
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

function itemRemover(items: TSchema): RemoveUndeclared | undefined {
  const remove = undeclaredRemover(items);
  if (remove === undefined) return undefined;
  return (value) => {
    const list = value as unknown[];
    for (const [index, item] of list.entries()) list[index] = remove(item);
    return list;
  };
}
