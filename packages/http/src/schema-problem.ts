import type { TLocalizedValidationError } from "typebox/error";

/** The most values that a message lists. */
const mostValues = 50;

/**
 * What a value must be, by the errors that the check of its schema has found, and where: the pointer of the value, and a text that
 * begins with `must`. All allowed values and alternatives are named. The found value is not: it may be a secret.
 * @param errors at least one, in the order of the check
 * @example
 * import { Type } from "typebox";
 * import { Compile } from "typebox/compile";
 *
 * const sizes = Compile(Type.Object({ size: Type.Union([Type.Literal(36), Type.Literal(38), Type.Null()]) }));
 * schemaProblem(sizes.Errors({ size: 37 })); // "/size: must be 36, 38 or null"
 */
export function schemaProblem(errors: readonly TLocalizedValidationError[]): string {
  const [first] = errors;
  if (first === undefined) return ": malformed";
  const { instancePath } = first;
  const here = errors.filter((error) => error.instancePath === instancePath && !combining.has(error.keyword));
  const refused = errors.find(({ keyword }) => keyword === "additionalProperties");
  if (first.keyword === "boolean" && refused !== undefined) return unknownMembers(refused);
  const alternatives = withoutTypesOfValues(here).flatMap(expectedBy);
  return `${instancePath}: ${alternatives.length === 0 ? first.message : `must be ${listOf([...new Set(alternatives)])}`}`;
}

/** The keywords whose errors only say that no alternative matches. */
const combining: ReadonlySet<string> = new Set(["anyOf", "oneOf"]);

/** Leaves out the type of a value where the value itself is expected. */
function withoutTypesOfValues(errors: readonly TLocalizedValidationError[]): readonly TLocalizedValidationError[] {
  const valued = new Set(errors.filter(({ keyword }) => keyword === "const").map(({ schemaPath }) => schemaPath));
  return errors.filter(({ keyword, schemaPath }) => keyword !== "type" || !valued.has(schemaPath));
}

/** What follows `must be`; nothing for a rule that is put in another way. */
function expectedBy(error: TLocalizedValidationError): readonly string[] {
  switch (error.keyword) {
    case "const":
      return [JSON.stringify(error.params.allowedValue)];
    case "enum":
      return error.params.allowedValues.map((value) => JSON.stringify(value));
    case "type":
      return [error.params.type].flat();
    case "maximum":
    case "minimum":
    case "exclusiveMaximum":
    case "exclusiveMinimum":
      return [`${error.params.comparison} ${error.params.limit}`];
    default:
      return [];
  }
}

function listOf(all: readonly string[]): string {
  if (all.length > mostValues) return `one of ${all.slice(0, mostValues).join(", ")}, …`;
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} or ${all.at(-1)}`;
}

function unknownMembers({ instancePath, params }: TLocalizedValidationError): string {
  const { additionalProperties: members = [] } = params as { readonly additionalProperties?: readonly string[] };
  const shown = members.slice(0, mostValues).map((member) => JSON.stringify(member.slice(0, 100)));
  return `${instancePath}: must not have the member${shown.length === 1 ? "" : "s"} ${shown.join(", ")}`;
}
