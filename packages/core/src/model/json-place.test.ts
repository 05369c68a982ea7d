import { describe, expect, it } from "vitest";
import {
  digestAt,
  documentPlace,
  itemsAt,
  type JsonPlace,
  memberAt,
  membersAt,
  optionalItemsAt,
  optionalStringAt,
  sizeAt,
  stringAt,
} from "./json-place.ts";
import type { Json } from "./json-value.ts";

const digest = `sha256:${"a".repeat(64)}`;
const place = (value: Json): JsonPlace => documentPlace(value, "doc", "malformed_image");
const inside = (value: Json): JsonPlace => memberAt(place({ x: value }), "x");

describe("memberAt", () => {
  it("gives a place without value for a member that is missing", () => {
    expect(memberAt(place({}), "toString").value).toBeUndefined();
  });

  it("says where in the document it stands", () => {
    const layers = memberAt(place({ layers: [{ size: 1 }] }), "layers");

    expect(itemsAt(layers).map((layer) => memberAt(layer, "size").path)).toEqual(["layers[0].size"]);
  });

  it.each([
    ["null", null, "doc: expected an object, found null"],
    ["an array", [1], "doc: expected an object, found an array"],
    ["a string", "text", 'doc: expected an object, found "text"'],
  ])("refuses %s", (_, value, message) => {
    expect(() => memberAt(place(value), "a")).toThrow(message);
  });
});

describe("membersAt", () => {
  it("lists own members, __proto__ included", () => {
    const members = membersAt(place(JSON.parse('{"b":1,"__proto__":2}')));

    expect(members.map(([name, { value }]) => [name, value])).toEqual([
      ["b", 1],
      ["__proto__", 2],
    ]);
  });

  it("lists nothing where nothing is", () => {
    expect(membersAt(inside(null))).toEqual([]);
  });
});

describe("itemsAt", () => {
  it("refuses what is no array", () => {
    expect(() => itemsAt(inside(null))).toThrow("doc: x: expected an array, found null");
    expect(() => optionalItemsAt(inside({}))).toThrow("doc: x: expected an array, found an object");
  });

  it("takes nothing for no items where items are optional", () => {
    expect(optionalItemsAt(inside(null))).toEqual([]);
  });
});

describe("stringAt", () => {
  it("refuses what is no string", () => {
    expect(() => stringAt(memberAt(place({}), "x"))).toThrow("doc: x: expected a string, found nothing");
    expect(() => optionalStringAt(inside(7))).toThrow("doc: x: expected a string, found 7");
  });

  it("takes an empty string for none where it is optional", () => {
    expect([stringAt(inside("")), optionalStringAt(inside("")), optionalStringAt(inside(null))]).toEqual([
      "",
      undefined,
      undefined,
    ]);
  });
});

describe("sizeAt", () => {
  it.each([0, 1, Number.MAX_SAFE_INTEGER])("accepts %s", (size) => {
    expect(sizeAt(inside(size))).toBe(size);
  });

  it.each([
    ["-1", -1],
    ["1.5", 1.5],
    ["Infinity", JSON.parse("1e400")],
    ["9007199254740992", 2 ** 53],
    ['"7"', "7"],
    ["true", true],
  ])("refuses %s", (shown, value) => {
    expect(() => sizeAt(inside(value))).toThrow(`doc: x: expected a whole number from 0 to 2^53-1, found ${shown}`);
  });
});

describe("digestAt", () => {
  it("gives the digest", () => {
    expect(digestAt(inside(digest))).toBe(digest);
  });

  it.each([
    ["sha256:XYZ", "malformed_digest"],
    [`blake3:${"a".repeat(64)}`, "unsupported_digest"],
    [5, "malformed_image"],
  ])("refuses %s with %s, naming the place", (value, code) => {
    const read = () => digestAt(inside(value));

    expect(read).toThrow(/^doc: x: /);
    expect(read).toThrow(expect.objectContaining({ code }));
  });
});
