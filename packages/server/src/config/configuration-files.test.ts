import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readFileSettings } from "./configuration-files.ts";

let folder = "";
const startedIn = process.cwd();
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "plimsoll-configuration-"));
  await mkdir(join(folder, "work"));
  process.chdir(join(folder, "work"));
});
afterEach(async () => {
  process.chdir(startedIn);
  await rm(folder, { recursive: true });
});

/** Reads the settings with these files; the user's folder is `user`. */
async function read(files: Readonly<Record<string, string>>, more: { named?: string; config?: string } = {}) {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  const { named, config } = more;
  const env = {
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, "user"),
    PLIMSOLL_CONFIG: config,
  };
  return readFileSettings(named, { env });
}

const yaml = "# of this project\nfailOn: high+\nfeeds:\n  debian: d.json\n";

describe("readFileSettings", () => {
  it("reads nothing without files", async () => {
    expect(await read({})).toEqual({ given: {}, fileOf: {}, files: [] });
  });

  it("reads YAML in the working folder", async () => {
    const given = { failOn: "high+", feeds: { debian: "d.json" } };

    expect(await read({ "work/plimsoll.yaml": yaml })).toEqual({
      given,
      fileOf: { failOn: "plimsoll.yaml", feeds: "plimsoll.yaml" },
      files: ["plimsoll.yaml"],
    });
  });

  it.runIf(process.platform === "linux")("reads the user's file too; the working folder's overrides it", async () => {
    const files = { "user/plimsoll/plimsoll.json": '{"failOn": "low+", "strict": true}', "work/plimsoll.yml": yaml };

    const { given, fileOf, files: found } = await read(files);

    expect(given).toMatchObject({ failOn: "high+", strict: true });
    expect(found).toEqual([join(folder, "user/plimsoll/plimsoll.json"), "plimsoll.yml"]);
    expect(fileOf).toMatchObject({ failOn: found[1], strict: found[0] });
  });

  it("reads only the file that is named", async () => {
    const files = { "work/plimsoll.yaml": yaml, "work/other.json": '{"strict": true}' };

    expect((await read(files, { named: "other.json" })).given).toEqual({ strict: true });
    expect((await read(files, { config: "other.json" })).given).toEqual({ strict: true });
    expect((await read(files, { config: "" })).files).toEqual([]);
  });

  it.each([
    ["plimsoll.json", "{", "plimsoll.json is not valid JSON"],
    ["plimsoll.yaml", "a: [", "plimsoll.yaml is not valid YAML"],
    ["plimsoll.yaml", "a: &x 1\nb: *x", "plimsoll.yaml is not valid YAML"],
    ["plimsoll.yaml", "- failOn", "plimsoll.yaml: expected an object of settings by name"],
    ["plimsoll.yaml", "failon: high", 'plimsoll.yaml: there is no setting "failon"; did you mean "failOn"?'],
  ])("refuses %s with %j", async (name, content, message) => {
    await expect(read({ [`work/${name}`]: content })).rejects.toThrow(message);
  });

  it("reports that a named file does not exist", async () => {
    await expect(read({}, { named: "none.yaml" })).rejects.toThrow("--config: none.yaml cannot be read");
  });
});
