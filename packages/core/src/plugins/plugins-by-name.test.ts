import { describe, expect, it } from "vitest";
import { type FileNames, pluginsByName } from "./plugins-by-name.ts";

const plugins: readonly { readonly name: string; readonly names?: FileNames }[] = [
  { name: "package.json", names: { endings: ["package.json"] } },
  { name: "any" },
  { name: "python", names: { beginnings: ["python", "libpython"] } },
  { name: "archives", names: { endings: [".jar", ".zip"] } },
  { name: "libraries", names: { endings: [".so.1.0"], beginnings: ["lib"] } },
  { name: "none", names: {} },
  { name: "packed", names: { endings: [".ez", ".json"] } },
];
const [short, empty] = [{ names: { endings: [".a"] } }, { names: { beginnings: [""] } }];

describe("pluginsByName", () => {
  it.each([
    ["app/package.json", ["package.json", "any", "packed"]],
    ["package.json", ["package.json", "any", "packed"]],
    ["lib/a.EZ", ["any", "packed"]],
    ["lib/a.fez", ["any"]],
    ["libez.ez", ["any", "python", "libraries", "packed"]],
    ["a/b.JAR", ["any", "archives"]],
    ["usr/bin/python3.11", ["any", "python"]],
    ["python/readme", ["any"]],
    ["usr/lib/libpython3.11.so.1.0", ["any", "python", "libraries"]],
    ["usr/lib/liblua.zip", ["any", "python", "archives", "libraries"]],
    ["js", ["any"]],
    ["", ["any"]],
  ])("finds those that may want %s", (path, expected) => {
    expect(pluginsByName(plugins)(path).map(({ name }) => name)).toEqual(expected);
  });

  it("finds plug-ins with too short a name for every file", () => {
    expect(pluginsByName([short, empty])("a/b.c")).toEqual([short, empty]);
  });
});
