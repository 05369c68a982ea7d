import { createHmac } from "node:crypto";
import { signWebhook } from "@plimsoll/outbound";
import { describe, expect, it } from "vitest";
import { verifyHook } from "./verify-hook.ts";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const otherSecret = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
const now = Date.UTC(2026, 10, 26);
const body = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]); // not UTF-8, because bytes are signed

const hub = (key: string, bytes: Uint8Array = body) =>
  `sha256=${createHmac("sha256", key).update(bytes).digest("hex")}`;
const standard = (key = secret, at = now, bytes: Uint8Array = body) =>
  signWebhook({ id: "msg_1", body: bytes, secret: key, now: at });

describe("verifyHook", () => {
  it.each([
    ["as most forges sign", { "x-hub-signature-256": hub(secret) }, hub(secret)],
    ["in capitals", { "x-hub-signature-256": hub(secret).toUpperCase() }, hub(secret)],
    ["by Standard Webhooks", standard(), "id=msg_1"],
    ["a little late", standard(secret, now - 299_000), "id=msg_1"],
    [
      "with an older secret as well",
      { ...standard(), "webhook-signature": `v1,AAAA ${standard()["webhook-signature"]}` },
      "id=msg_1",
    ],
  ])("accepts what is signed %s", (_, headers, key) => {
    expect(verifyHook({ headers, body, now }, secret)).toBe(key);
  });

  it.each([
    ["is not signed", {}, "invalid_token"],
    ["has an older kind of signature", { "x-hub-signature": "sha1=00" }, "invalid_token"],
    ["is signed with another secret", { "x-hub-signature-256": hub(otherSecret) }, "insufficient_scope"],
    ["is signed for another body", { "x-hub-signature-256": hub(secret, Buffer.from("{}")) }, "insufficient_scope"],
    ["has an empty signature", { "x-hub-signature-256": "" }, "insufficient_scope"],
    ["has half a signature", { "x-hub-signature-256": hub(secret).slice(0, 40) }, "insufficient_scope"],
    ["is signed with another secret by Standard Webhooks", standard(otherSecret), "insufficient_scope"],
    ["is of an hour ago", standard(secret, now - 3_600_000), "insufficient_scope"],
    ["is of the future", standard(secret, now + 3_600_000), "insufficient_scope"],
    ["has another id", { ...standard(), "webhook-id": "msg_2" }, "insufficient_scope"],
    ["has another time", { ...standard(), "webhook-timestamp": `${now / 1000 + 1}` }, "insufficient_scope"],
    ["has no time", { ...standard(), "webhook-timestamp": "NaN" }, "insufficient_scope"],
    ["has a signature of another kind", { ...standard(), "webhook-signature": "v1a,AAAA" }, "insufficient_scope"],
  ])("refuses what %s", (_, headers, code) => {
    expect(() => verifyHook({ headers, body, now }, secret)).toThrow(expect.objectContaining({ code }));
  });
});
