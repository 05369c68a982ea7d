import { describe, expect, it } from "vitest";
import { joinOutputs, parseOutputs, sbomFormats, scanFormats } from "./output-format.ts";

describe("parseOutputs", () => {
  it.each([
    [[], [{ format: "table" }]],
    [["json"], [{ format: "json" }]],
    [
      ["table", "json=a.json"],
      [{ format: "table" }, { format: "json", file: "a.json" }],
    ],
    [["ndjson=a=b"], [{ format: "ndjson", file: "a=b" }]],
    [["cyclonedx-json"], [{ format: "cyclonedx" }]],
    [["out/web.cdx.json"], [{ format: "cyclonedx", file: "out/web.cdx.json" }]],
    [["web.spdx.json"], [{ format: "spdx", file: "web.spdx.json" }]],
    [["a=b.json"], [{ format: "json", file: "a=b.json" }]],
    [["web.jsonl"], [{ format: "ndjson", file: "web.jsonl" }]],
    [["results.sarif"], [{ format: "sarif", file: "results.sarif" }]],
    [["web.csv"], [{ format: "csv", file: "web.csv" }]],
    [["out/web.junit.xml"], [{ format: "junit", file: "out/web.junit.xml" }]],
    [["gl-container-scanning-report.json"], [{ format: "gitlab", file: "gl-container-scanning-report.json" }]],
    [["web.openvex.json"], [{ format: "openvex", file: "web.openvex.json" }]],
    [["report.html"], [{ format: "html", file: "report.html" }]],
    [["comment.md"], [{ format: "markdown", file: "comment.md" }]],
    [
      ["json=/dev/null", "md=/dev/null"],
      [
        { format: "json", file: "/dev/null" },
        { format: "markdown", file: "/dev/null" },
      ],
    ],
    [["md=a"], [{ format: "markdown", file: "a" }]],
    [["template=a.mustache"], [{ format: "template", template: "a.mustache" }]],
    [["template=a.mustache=b.csv"], [{ format: "template", template: "a.mustache", file: "b.csv" }]],
  ])("%j", (texts, expected) => {
    expect(parseOutputs(texts, { formats: scanFormats })).toEqual(expected);
  });

  it.each([
    [["xml"], "the formats are table, json, ndjson"],
    [["json="], "a file name is missing"],
    [["template"], "the file of the template is missing"],
    [["template=a="], "a file name is missing"],
    [["json", "table"], "json and table would both go to standard output"],
    [["json=a", "sarif=./b/../a"], "two results would both go to ./b/../a"],
    [["__proto__"], '"__proto__" is not a format'],
    [["cyclonedx@1.7=x.cdx.json"], '"cyclonedx@1.7" is not a format of this command'],
    [["cyclonedx-xml=folder/x.xml"], "plimsoll sbom can write it"],
    [["spdx@9=x.spdx.json"], '"spdx@9" is not a format; the formats are'],
    [[".json"], '".json" is not a format'],
  ])("refuses %j", (texts, message) => {
    expect(() => parseOutputs(texts, { formats: scanFormats })).toThrow(message);
  });

  it("rejects formats of other commands", () => {
    expect(() => parseOutputs(["a.ndjson"], { formats: sbomFormats })).toThrow(
      "the formats are cyclonedx, cyclonedx@1.7, cyclonedx-xml, cyclonedx-xml@1.7, spdx, spdx@3.0.1, github, json",
    );
  });

  it("rejects several images in a document about one", () => {
    expect(() => parseOutputs(["table", "a.cdx.json"], { formats: scanFormats, several: true })).toThrow(
      "cyclonedx shows one image",
    );
  });
});

describe("joinOutputs", () => {
  it.each([
    [["a.txt"], ["json"], ["json=a.txt"]],
    [["a.txt"], ["template=a.mustache"], ["template=a.mustache=a.txt"]],
    [["table"], ["json=a"], ["table", "json=a"]],
    [["json=a"], ["table"], ["json=a", "table"]],
    [["json"], [], ["json"]],
    [[], ["json"], ["json"]],
    [["cyclonedx-json"], ["json"], ["cyclonedx-json", "json"]],
    [["a", "b"], ["json"], ["a", "b", "json"]],
  ])("-o %j -f %j", (output, format, expected) => {
    expect(joinOutputs(output, format)).toEqual(expected);
  });
});
