import { type TSchema, Type } from "typebox";
import { Clean } from "typebox/value";
import { describe, expect, it } from "vitest";
import { parseBody, queryConverter, readerOf, undeclaredRemover } from "./check-input.ts";

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

const Cup = Type.Object({ name: Type.String(), size: Type.Optional(Type.Union([Type.Integer(), Type.Null()])) });

const rows: readonly { readonly what: string; readonly schema: TSchema; readonly value: unknown }[] = [
  { what: "an object", schema: Cup, value: { name: "a", size: null, extra: { name: "x" } } },
  { what: "a member of objects", schema: Type.Object({ cup: Cup }), value: { cup: { name: "a", extra: 1 }, extra: 1 } },
  { what: "a list", schema: Type.Object({ cups: Type.Array(Cup) }), value: { cups: [{ name: "a", extra: 1 }] } },
  { what: "a list itself", schema: Type.Array(Cup), value: [{ name: "a", extra: 1 }] },
  { what: "a list of texts", schema: Type.Array(Type.String()), value: ["a"] },
  { what: "any value", schema: Type.Object({ any: Type.Unknown() }), value: { any: { extra: [1] }, extra: 1 } },
  { what: "a map", schema: Type.Record(Type.String(), Cup), value: { one: { name: "a", extra: 1 } } },
  {
    what: "an open object",
    schema: Type.Object({ a: Type.Integer() }, { additionalProperties: true }),
    value: { a: 1, b: 2 },
  },
  {
    what: "an open object with a closed one in it",
    schema: Type.Object({ cup: Cup }, { additionalProperties: true }),
    value: { cup: { name: "a", extra: 1 }, b: { extra: 1 } },
  },
  {
    what: "a closed object",
    schema: Type.Object({ cup: Cup }, { additionalProperties: false }),
    value: { cup: { name: "a", extra: 1 } },
  },
  {
    what: "a map whose names have a pattern",
    schema: Type.Record(Type.String({ pattern: "^[a-z]$" }), Type.Array(Cup)),
    value: { a: [{ name: "a", extra: 1 }], "a b": [], "a\nb": 1 },
  },
  {
    what: "a map of any values",
    schema: Type.Record(Type.String(), Type.Unknown()),
    value: { a: { b: 1 }, "c\nd": 2 },
  },
  {
    what: "a choice of a list, an object and a text",
    schema: Type.Array(Type.Union([Type.Array(Cup), Cup, Type.Literal("cup"), Type.Null()])),
    value: [[{ name: "a", extra: 1 }], { name: "a", extra: 1 }, "cup", null],
  },
  {
    what: "a choice of two objects",
    schema: Type.Union([Type.Object({ kind: Type.Literal("a") }), Type.Object({ kind: Type.Literal("b"), cup: Cup })]),
    value: { kind: "b", cup: { name: "a", extra: 1 }, extra: 1 },
  },
  {
    what: "a choice of an object and any value",
    schema: Type.Union([Type.Object({ kind: Type.Literal("a") }), Type.Unknown()]),
    value: { kind: "b", extra: 1 },
  },
  {
    what: "a choice of an object and an open one",
    schema: Type.Union([Type.Array(Cup), Type.Object({ a: Type.Integer() }, { additionalProperties: true })]),
    value: { a: 1, extra: { extra: 1 } },
  },
  { what: "a choice", schema: Type.Union([Cup, Type.Null()]), value: { name: "a", extra: 1 } },
  {
    what: "an object or none",
    schema: Type.Object({ cup: Type.Union([Cup, Type.Null()]) }),
    value: { cup: null, extra: 1 },
  },
  {
    what: "a combination",
    schema: Type.Intersect([Cup, Type.Object({ at: Type.Integer() })]),
    value: { name: "a", at: 1, b: 2 },
  },
  { what: "a word", schema: Type.Object({ kind: Type.Enum(["a"]) }), value: { kind: "a", constructor: 1 } },
  { what: "a prototype", schema: Cup, value: JSON.parse('{"name":"a","__proto__":{"size":1}}') },
];

describe("undeclaredRemover", () => {
  it.each(rows)("removes from $what what typebox removes", ({ schema, value }) => {
    const expected = Clean(schema, structuredClone(value));

    const remove = undeclaredRemover(schema) ?? ((same: unknown) => same);

    expect(remove(structuredClone(value))).toEqual(expected);
  });

  it("leaves nothing undeclared, and has nothing to do for texts", () => {
    expect(undeclaredRemover(Cup)?.({ name: "a", isExpanded: true })).toEqual({ name: "a" });
    expect(undeclaredRemover(Type.String())).toBeUndefined();
    expect(undeclaredRemover(Type.Array(Type.String()))).toBeUndefined();
  });
});

describe("queryConverter", () => {
  const convert = queryConverter(Type.Object({ limit: Type.Integer(), all: Type.Boolean(), name: Type.String() }));

  it.each([
    { given: { limit: "10", all: "true", name: "x" }, read: { limit: 10, all: true, name: "x" } },
    { given: { limit: "-5", all: "F", name: "5" }, read: { limit: -5, all: false, name: "5" } },
    { given: { limit: "5 " }, read: { limit: "5 " } },
    { given: { limit: "x5" }, read: { limit: "x5" } },
    { given: { limit: "5x" }, read: { limit: "5x" } },
    { given: { limit: "1e3" }, read: { limit: "1e3" } },
    { given: { limit: "1234567890123456" }, read: { limit: "1234567890123456" } },
    { given: { all: "perhaps", name: "true" }, read: { all: "perhaps", name: "true" } },
    { given: { limit: ["1", "2"], other: "x" }, read: { limit: ["1", "2"] } },
  ])("makes $read of $given", ({ given, read }) => {
    expect(convert(given)).toStrictEqual(read);
  });
});

describe("parseBody", () => {
  const limits = { mostValues: 3, mostDepth: 2 };

  it.each([
    { text: "", problem: "body: expected JSON, found nothing" },
    { text: "{", problem: "body: expected JSON: " },
    { text: "[1,2,3,4]", problem: "body: " },
    { text: "[[[1]]]", problem: "body: " },
  ])("refuses $text", ({ text, problem }) => {
    const parse = () => parseBody(new TextEncoder().encode(text), limits);

    expect(parse).toThrow(problem);
    expect(parse).toThrow(expect.objectContaining({ code: "malformed_request" }));
  });

  it("refuses no body, and bytes that are no UTF-8", () => {
    expect(() => parseBody(undefined)).toThrow("body: expected JSON, found nothing");
    expect(() => parseBody(Uint8Array.of(0x22, 0xff, 0x22))).toThrow("body: expected JSON: ");
  });

  it("reads what is within the limits", () => {
    expect(parseBody(new TextEncoder().encode("[1,[2]]"), { mostValues: 4, mostDepth: 2 })).toEqual([1, [2]]);
  });
});
