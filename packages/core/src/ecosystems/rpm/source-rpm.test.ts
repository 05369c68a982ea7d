import { describe, expect, it } from "vitest";
import { parseSourceRpm } from "./source-rpm.ts";

describe("parseSourceRpm", () => {
  it.each([
    ["bash-5.1-2.el9.src.rpm", "bash", "5.1-2.el9"],
    ["python-pip-wheel-21.2.3-8.el9.src.rpm", "python-pip-wheel", "21.2.3-8.el9"],
    ["driver-1-1.nosrc.rpm", "driver", "1-1"],
  ])("splits %s at the last two hyphens", (fileName, name, version) => {
    expect(parseSourceRpm(fileName)).toEqual({ name, version });
  });

  it.each(["", "bash", "bash-5.1.src.rpm", "-5.1-2.src.rpm", "bash-5.1-2.x86_64.rpm", "bash--2.src.rpm"])(
    "finds no source in %j",
    (fileName) => {
      expect(parseSourceRpm(fileName)).toBeUndefined();
    },
  );
});
