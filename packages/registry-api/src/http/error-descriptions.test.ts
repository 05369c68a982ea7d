import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../fixtures/test-registry.ts";

describe("getErrorDescription", () => {
  it.each([
    "downstream_issue",
    "exceeds_license",
    "expired_token",
    "external_service_timeout",
    "fresh_login_required",
    "insufficient_scope",
    "internal_error",
    "invalid_request",
    "invalid_response",
    "invalid_token",
    "not_found",
    "precondition_failed",
    "read_only",
    "tag_immutable",
    "token_rotation_failed",
    "too_large",
    "too_many_requests",
    "unavailable",
    "unsupported_media_type",
  ])("tells every caller what %s means", async (code) => {
    await using registry = await openTestRegistry({ features: { anonymousAccess: false } });

    const { status, body } = await registry.anonymous("GET", `/error/${code}`);

    expect(status).toBe(200);
    expect(body).toEqual({
      type: `http://localhost/api/v1/error/${code}`,
      title: code,
      description: expect.stringMatching(/^[A-Z].*\.$/),
    });
  });

  it("knows no other code", async () => {
    await using registry = await openTestRegistry();

    expect(await registry.anonymous("GET", "/error/toString")).toMatchObject({
      status: 404,
      body: { title: "not_found", type: "http://localhost/api/v1/error/not_found" },
    });
  });
});
