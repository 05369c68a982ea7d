import { type TSchema, Type } from "typebox";
import { Compile } from "typebox/compile";
import { describe, expect, it } from "vitest";
import { schemaProblem } from "./schema-problem.ts";

const Size = Type.Union([Type.Literal("S"), Type.Literal("L")]);
const Shape = Type.Union([
  Type.Object({ kind: Type.Literal("box"), width: Type.Number() }),
  Type.Object({ kind: Type.Literal("ball") }),
]);
const rows: readonly (readonly [TSchema, unknown, string])[] = [
  [Size, "M", ': must be "S" or "L"'],
  [Type.Enum(["S", "M", "L"]), "XL", ': must be "S", "M" or "L"'],
  [Type.Object({ size: Size }), { size: 7 }, '/size: must be "S" or "L"'],
  [Type.Array(Type.Union([Size, Type.Null()])), ["S", "XL"], '/1: must be "S", "L" or null'],
  [Type.Union([Type.String(), Type.Null()]), 7, ": must be string or null"],
  [Type.Union([Type.Literal("none"), Type.Integer({ maximum: 3 })]), 5, ': must be "none" or <= 3'],
  [Type.Literal(true), false, ": must be true"],
  [Type.Integer({ minimum: 1, maximum: 100 }), 101, ": must be <= 100"],
  [Type.Object({ shape: Shape }), { shape: { kind: "box", width: "7" } }, "/shape/width: must be number"],
  [Type.Object({ a: Type.String(), b: Type.String() }), {}, ": must have required properties a, b"],
  [Type.Object({}, { additionalProperties: false }), { b: 2 }, ': must not have the member "b"'],
  [Type.String({ maxLength: 3 }), "four", ": must not have more than 3 characters"],
  [Type.String({ pattern: "^a$" }), "b", ': must match pattern "^a$"'],
  [
    Type.Enum(Array.from({ length: 51 }, (_, n) => `v${n}`)),
    "x",
    `: must be one of ${Array.from({ length: 50 }, (_, n) => `"v${n}"`).join(", ")}, …`,
  ],
];

describe("schemaProblem", () => {
  it.each(rows.map(([schema, value, text]) => ({ schema, value, text })))("says $text", ({ schema, value, text }) => {
    expect(schemaProblem(Compile(schema).Errors(value))).toBe(text);
  });
});
