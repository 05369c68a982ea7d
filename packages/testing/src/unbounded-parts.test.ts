import { type TSchema, Type } from "typebox";
import { describe, expect, it } from "vitest";
import { unboundedParts } from "./unbounded-parts.ts";

const short = Type.String({ maxLength: 9 });

/** Limits the length of an object as JSON. */
const limited = (schema: TSchema) => Type.Refine(schema, (value) => JSON.stringify(value).length < 100);

/** A limit of the number of members alone. */
const few = Type.Refine(Type.Record(Type.String(), Type.Unknown()), (value) => Object.keys(value).length < 9);

describe("unboundedParts", () => {
  it.each([
    { title: "a number", schema: Type.Integer(), found: ["number "] },
    { title: "a number with a limit", schema: Type.Integer({ maximum: 9 }), found: [] },
    { title: "a text in a list", schema: Type.Array(Type.String(), { maxItems: 9 }), found: ["text /0"] },
    { title: "a list", schema: Type.Object({ names: Type.Array(short) }), found: ["list /names"] },
    { title: "any value", schema: Type.Object({ a: Type.Unknown() }), found: ["anything /a"] },
    { title: "any value with a limit", schema: Type.Object({ a: limited(Type.Unknown()) }), found: [] },
    { title: "a map", schema: Type.Record(Type.String(), short), found: ["map "] },
    { title: "a map with a limit", schema: Type.Record(Type.String(), short, { maxProperties: 9 }), found: [] },
    { title: "a map of any values", schema: Type.Record(Type.String(), Type.Unknown()), found: ["map "] },
    { title: "a map of nine of any values", schema: few, found: ["map "] },
    { title: "a map with a limit of all", schema: limited(Type.Record(Type.String(), Type.Unknown())), found: [] },
    {
      title: "a map of numbers",
      schema: Type.Record(Type.String(), Type.Integer(), { maxProperties: 9 }),
      found: ["number /*"],
    },
  ])("finds what has any size in $title", ({ schema, found }) => {
    expect(unboundedParts(schema).map(({ path, kind }) => `${kind} ${path}`)).toEqual(found);
  });
});
