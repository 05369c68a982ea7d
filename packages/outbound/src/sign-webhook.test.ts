import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isWebhookSecret, signWebhook } from "./sign-webhook.ts";

const key = Buffer.from("secret of at least 24 bytes");
const secret = `whsec_${key.toString("base64")}`;

describe("signWebhook", () => {
  it("signs the id, the time and the body", () => {
    const body = '{"a":1}';

    const headers = signWebhook({ id: "m1", body, secret, now: 1_700_000_000_999 });

    const expected = createHmac("sha256", key).update(`m1.1700000000.${body}`).digest("base64");
    expect(headers).toEqual({
      "webhook-id": "m1",
      "webhook-timestamp": "1700000000",
      "webhook-signature": `v1,${expected}`,
    });
  });
});

describe("isWebhookSecret", () => {
  it.each([
    [secret, true],
    [`whsec_${Buffer.alloc(64).toString("base64")}`, true],
    [`whsec_${Buffer.alloc(23).toString("base64")}`, false],
    [`whsec_${Buffer.alloc(65).toString("base64")}`, false],
    [key.toString("base64"), false],
    ["whsec_", false],
  ])("%s: %s", (text, expected) => {
    expect(isWebhookSecret(text)).toBe(expected);
  });
});
