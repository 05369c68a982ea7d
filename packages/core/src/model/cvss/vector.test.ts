import { describe, expect, it } from "vitest";
import { parseCvss, withGroup } from "./vector.ts";

const v2 = "AV:N/AC:L/Au:N/C:P/I:P/A:P";
const v3 = "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H";
const v4 = "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N";

describe("parseCvss", () => {
  it.each([
    [v2, "2.0", 6],
    [`${v2}/E:POC/RL:OF/RC:C/CDP:ND/TD:ND/CR:H/IR:M/AR:L`, "2.0", 12],
    [v3, "3.1", 8],
    [v3.replace("3.1", "3.0"), "3.0", 8],
    ["CVSS:3.1/S:U/A:H/I:H/C:H/UI:N/PR:N/AC:L/AV:N", "3.1", 8],
    [`${v3}/MA:N/E:P`, "3.1", 10],
    [v4, "4.0", 11],
    [`${v4}/E:P/CR:X/MSI:S/U:Clear`, "4.0", 14],
  ])("reads %s as %s with %i metrics", (text, version, metrics) => {
    const cvss = parseCvss(text);

    expect([cvss.version, cvss.metrics.size]).toEqual([version, metrics]);
  });

  it.each([
    ["", "CVSS:3.0/, CVSS:3.1/, CVSS:4.0/ or AV:"],
    ["CVSS:5.0/AV:N", "CVSS:3.0/, CVSS:3.1/, CVSS:4.0/ or AV:"],
    ["cvss:3.1/AV:N", "CVSS:3.0/, CVSS:3.1/, CVSS:4.0/ or AV:"],
    [`${v3}/`, "a metric of CVSS 3.1"],
    [`${v3}/X:Y`, "a metric of CVSS 3.1"],
    [`${v3}/E`, "a metric of CVSS 3.1"],
    [`${v3}/E:Z`, "a metric of CVSS 3.1"],
    [`${v3}/E:POC`, "a metric of CVSS 3.1"],
    [v3.replace("AV:N", "AV:n"), "a metric of CVSS 3.1"],
    [v3.replace("AV:N", "AV:X"), "a metric of CVSS 3.1"],
    [v3.replace("AV:N", "AV:N:N"), "a metric of CVSS 3.1"],
    [`${v3}/AV:N`, "AV once"],
    [`${v3}/E:X/E:P`, "E once"],
    [v3.replace("/A:H", ""), "the base metric A"],
    [v2.replace("/Au:N", ""), "the base metric Au"],
    [v2.replace("AC:L/Au:N", "Au:N/AC:L"), "the metrics in order"],
    [v4.replace("AC:L/AT:N", "AT:N/AC:L"), "the metrics in order"],
    [`${v4}/CR:H/E:P`, "the metrics in order"],
    [v4.replace("UI:N", "UI:R"), "a metric of CVSS 4.0"],
    [v4.replace("SI:N", "SI:S"), "a metric of CVSS 4.0"],
    [`${v3}/${"A:H/".repeat(1000)}`, "A once"],
  ])("refuses %s: expected %s", (text, expected) => {
    const parse = () => parseCvss(text);

    expect(parse).toThrow(`expected ${expected}`);
    expect(parse).toThrow(expect.objectContaining({ code: "malformed_cvss" }));
    expect(parse).toThrow(/^.{1,500}$/);
  });
});

describe("withGroup", () => {
  it("keeps the metrics of the group that are defined", () => {
    const cvss = parseCvss(`${v3}/E:X/MA:N`);

    expect(withGroup(cvss, "base")).toEqual(parseCvss(v3));
    expect([...withGroup(cvss, "environmental").metrics.keys()]).toEqual(["MA"]);
    expect(withGroup(cvss, "temporal").metrics.size).toBe(0);
  });
});
