import { describe, expect, it } from "vitest";
import { readNeeds } from "./application-detector.ts";

const groups = '[dependency-groups]\ndev = ["pytest"]\n';

describe("readNeeds", () => {
  it.each<[string, string, readonly string[] | undefined]>([
    ["a project", `[project]\ndependencies = ["six>=1", "A.b[x]"]\n${groups}`, ["six", "A.b"]],
    [
      "markers",
      `[project]\ndependencies = ["a; sys_platform == 'win32'", "b; python_version > '3'"]\n${groups}`,
      ["b"],
    ],
    [
      "Poetry's project",
      '[tool.poetry.dependencies]\npython = "^3"\nsix = "*"\na = {version = "1", optional = true}\nb = {version = "1", extras = ["x"]}\nc = {path = "c"}\n[tool.poetry.group.dev.dependencies]\nd = "*"\n',
      ["six", "b"],
    ],
    ["PDM's groups", '[project]\ndependencies = []\n[tool.pdm.dev-dependencies]\ntest = ["pytest"]\n', []],
    ["computed dependencies", `[project]\ndynamic = ["dependencies"]\ndependencies = []\n${groups}`, undefined],
    ["no dependencies", `[project]\nname = "a"\n${groups}`, undefined],
  ])("reads %s", (_, text, expected) => {
    expect(readNeeds(text)).toEqual(expected && { names: expected, marksDevelopment: true });
  });

  it("says that a project states nothing for development", () => {
    expect(readNeeds('[project]\ndependencies = ["six"]\n')).toEqual({ names: ["six"], isAllForUse: true });
  });

  it.each([
    "[project.optional-dependencies]\ntest = ['a']",
    "[tool.poetry.extras]\nx = ['a']",
    "[tool.uv]\ndev-dependencies = ['a']",
  ])("says nothing about development of a project with %j", (more) => {
    expect(readNeeds(`[project]\ndependencies = ["six"]\n${more}\n`)).toEqual({ names: ["six"] });
  });
});
