import { describe, expect, it } from "vitest";
import { evaluateMarker } from "./markers.ts";

describe("evaluateMarker", () => {
  it.each([
    ["sys_platform == 'win32'", false],
    ['sys_platform != "win32"', true],
    ['platform_system == "Windows"', false],
    ["os_name == 'nt' or sys_platform == 'linux'", true],
    ["'linux' in sys_platform", true],
    ["sys_platform not in 'win32, darwin'", true],
    ["python_version < '3.11'", true],
    ["python_full_version >= '3.9' and sys_platform == 'darwin'", false],
    ["(python_version < '3.8' or sys_platform == 'win32') and os_name == 'posix'", true],
    ["implementation_name == 'pypy'", false],
    ["platform_python_implementation != 'PyPy'", true],
    ["platform_machine == 'x86_64' and sys_platform == 'linux'", true],
    ["platform_machine == 'x86_64' and sys_platform == 'win32'", false],
    ["platform_machine == 'x86_64' or sys_platform == 'linux'", true],
    ["extra == 'cli'", undefined],
    ["'cli' in extras", undefined],
    ["'dev' in dependency_groups", false],
    ["'dev' not in dependency_groups", true],
    ["sys_platform > 'a'", undefined],
    ["", true],
    ["sys_platform == 'win32' and", true],
    ["sys_platform == 'win32", true],
    [`${"(".repeat(9000)}sys_platform == 'win32'`, true],
  ])("says of %j on Linux: %j", (marker, truth) => {
    expect(evaluateMarker(marker)).toBe(truth);
  });

  it("knows that all groups may be chosen", () => {
    expect(evaluateMarker("'dev' in dependency_groups", { groups: "all" })).toBe(true);
  });

  it.each([
    ["python_version >= '3.9' and python_version < '3.12'", true],
    ["'3.10' > python_version", false],
    ["python_version == '3.*'", true],
    ["python_version != '3.11'", false],
    ["python_version ~= '3.8'", true],
    ["python_version in '2.7, 3.11'", true],
    ["python_full_version < '3.11'", false],
    ["python_full_version > '3.10.4'", true],
    ["python_full_version < '3.11.4'", undefined],
    ["python_version < 'x'", undefined],
    ["platform_machine == 'arm64'", undefined],
    ["extra == 'cli'", false],
    ["extra != 'cli' and sys_platform == 'linux'", true],
  ])("says of %j for an interpreter of 3.11: %j", (marker, truth) => {
    const interpreter = new Map([
      ["extra", ""],
      ["python_version", "3.11"],
    ]);

    expect(evaluateMarker(marker, { interpreter })).toBe(truth);
  });
});
