import { ScanError } from "@plimsoll/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostileImages, sampleImage, stamp } from "./fixtures/sample-images.ts";
import { checkTemplate, fromTemplate } from "./template.ts";

const render = (template: string) => fromTemplate(sampleImage(), { ...stamp, template });

describe("fromTemplate", () => {
  it.each([
    ["{{image.reference}} {{image.platform}}", "registry.example/acme/web:1.0 linux/amd64"],
    ["{{counts.findings}} {{counts.critical}} {{counts.exploited}}", "3 1 1"],
    ["{{#findings}}{{id}}{{^last}},{{/last}}{{/findings}}", "CVE-2023-5678,GHSA-1234-abcd-5678,GHSA-1234-abcd-5678"],
    ["{{^assessed}}{{#gaps}}{{.}}\n{{/gaps}}{{/assessed}}", expect.stringContaining("No loaded feed covers npm.\n")],
    [
      "{{#findings}}{{#exploited}}{{epss}} {{cvss}} {{remedy}}{{/exploited}}{{/findings}}",
      "25.0% 9.8 Update libssl3 to version 3.0.13-1~deb12u1 or later.",
    ],
    ["{{#suppressed}}{{id}} {{status}}{{/suppressed}}", "CVE-2023-9999 not_affected"],
    ["{{nothing}}{{image.nothing}}{{image}}{{{image}}}{{{findings}}}", ""],
  ])("%s", (template, expected) => {
    expect(render(template)).toEqual(expected);
  });

  it.each([
    "{{constructor}}",
    "{{toString}}",
    "{{#constructor}}a{{/constructor}}",
    "{{findings.constructor}}",
    "{{findings.join}}",
    "{{image.__proto__}}",
    "{{#image.constructor.constructor}}return process{{/image.constructor.constructor}}",
    "{{image.reference.constructor}}",
  ])("reaches no function by %s", (template) => {
    expect(render(template)).toBe("");
  });

  it("escapes what it shows for HTML, and nothing in three braces", () => {
    const [, image] = hostileImages.find(([what]) => what === "HTML") ?? [];
    const shown = (template: string) => fromTemplate(image ?? sampleImage(), { ...stamp, template });

    expect(shown("{{image.reference}}")).not.toMatch(/[<>"]/);
    expect(shown("{{{image.reference}}}")).toContain("<script>");
  });

  it("gives text or says what is wrong, whatever the template", () => {
    const tags = fc.constantFrom(
      "{{",
      "}}",
      "{{#findings}}",
      "{{/findings}}",
      "{{{id}}}",
      "{{=<% %>=}}",
      "{{!",
      "{{&x}}",
      "a\n",
    );
    fc.assert(
      fc.property(fc.array(tags, { maxLength: 8 }), (parts) => {
        try {
          expect(typeof render(parts.join(""))).toBe("string");
        } catch (error) {
          expect(error).toBeInstanceOf(ScanError);
        }
      }),
    );
  });
});

describe("checkTemplate", () => {
  it.each([
    ["{{#a}}", "t: Unclosed section"],
    ["{{a", "t: Unclosed tag"],
    ["{{> /etc/passwd}}", "a template reads no other file"],
    ["{{#a}}{{> b}}{{/a}}", "a template reads no other file"],
    ["x".repeat(1_048_577), "t: expected at most 1048576 characters"],
  ])("refuses %.20s", (template, message) => {
    expect(() => checkTemplate(template, "t")).toThrow(message);
  });
});
