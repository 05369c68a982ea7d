import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { readerOf } from "./check-input.ts";

const Named = Type.Object({ name: Type.String(), size: Type.Optional(Type.Union([Type.Number(), Type.Null()])) });

describe("readerOf", () => {
  it.each([
    { what: "a member", schema: Named, given: '{"name":"cup","isExpanded":true}', read: { name: "cup" } },
    {
      what: "a member of an item",
      schema: Type.Array(Named),
      given: '[{"name":"cup","id":7}]',
      read: [{ name: "cup" }],
    },
    {
      what: "a member of a member",
      schema: Type.Object({ message: Named }),
      given: '{"message":{"name":"cup","size":null,"uuid":"x"},"id":"x"}',
      read: { message: { name: "cup", size: null } },
    },
    {
      what: "a member of an alternative",
      schema: Type.Union([Named, Type.Null()]),
      given: '{"name":"cup","id":7}',
      read: { name: "cup" },
    },
    {
      what: "a member with the name of one that every object has",
      schema: Named,
      given: '{"name":"cup","toString":1,"constructor":{"x":1},"__proto__":{"size":7}}',
      read: { name: "cup" },
    },
  ])("removes $what that is not declared", ({ schema, given, read }) => {
    const result = readerOf("body", schema)(JSON.parse(given));

    expect(result).toEqual(read);
    expect((result as { readonly size?: unknown }).size).toBe((read as { readonly size?: unknown }).size);
  });

  it.each([
    { what: "an object of any members", schema: Type.Object({}, { additionalProperties: true }) },
    { what: "a map", schema: Type.Record(Type.String({ maxLength: 255 }), Type.Unknown()) },
    { what: "any value", schema: Type.Unknown() },
  ])("keeps all members of $what", ({ schema }) => {
    const given = { a: { b: [{ c: 1 }] }, toString: "text" };

    expect(readerOf("body", schema)(structuredClone(given))).toEqual(given);
  });

  it("refuses what the schema does not accept", () => {
    expect(() => readerOf("body", Named)({ name: 7 })).toThrow("body/name: must be string");
  });
});
