import { describe, expect, it } from "vitest";
import { DeliveryFailed } from "./delivery-failed.ts";
import { maxTemplateLength, renderTemplate } from "./render-template.ts";

const event = {
  name: "app",
  updated_tags: Array.from({ length: 100 }, (_, at) => `${at}`.padStart(128, "v")),
  more: { a: 1 },
};

describe("renderTemplate", () => {
  it.each([
    ['{"a":"${name}","b":"${more.a}"}', '{"a":"app","b":1}'],
    ['["${name} has ${more.a}", "${none}", "x${none}"]', '["app has 1",null,"x(none)"]'],
    ['{"a":{"b":["${more}"]}}', '{"a":{"b":[{"a":1}]}}'],
  ])("of %s is %s", (template, rendered) => {
    expect(renderTemplate(template, event)).toBe(rendered);
  });

  it.each([
    { what: "long lists in one text", template: JSON.stringify("${updated_tags}".repeat(maxTemplateLength / 16)) },
    { what: "long lists as values", template: JSON.stringify(Array(800).fill("${updated_tags}")) },
    { what: "too many levels", template: `${"[".repeat(8000)}${"]".repeat(8000)}` },
  ])("fails for $what", ({ template }) => {
    expect(() => renderTemplate(template, event)).toThrow(DeliveryFailed);
  });
});
