import { describe, expect, it } from "vitest";
import { ScanError } from "../errors.ts";
import { formatImageReference, parseImageReference } from "./image-reference.ts";

const hex = "0123456789abcdef".repeat(4);

describe("parseImageReference", () => {
  it.each([
    ["nginx", "docker.io/library/nginx:latest"],
    ["nginx:1.27", "docker.io/library/nginx:1.27"],
    ["library/nginx", "docker.io/library/nginx:latest"],
    ["bitnami/nginx", "docker.io/bitnami/nginx:latest"],
    ["docker.io/nginx", "docker.io/library/nginx:latest"],
    ["index.docker.io/bitnami/nginx", "docker.io/bitnami/nginx:latest"],
    [`nginx@sha256:${hex}`, `docker.io/library/nginx@sha256:${hex}`],
    [`docker.io/library/nginx:1.27@sha256:${hex}`, `docker.io/library/nginx:1.27@sha256:${hex}`],
    ["localhost/app", "localhost/app:latest"],
    ["localhost:5000/app:v1", "localhost:5000/app:v1"],
    ["127.0.0.1:5000/a/b/c", "127.0.0.1:5000/a/b/c:latest"],
    ["[::1]:5000/app", "[::1]:5000/app:latest"],
    ["[2001:db8::1]/app:x", "[2001:db8::1]/app:x"],
    ["quay.io/a__b/c.d-e--f_g:Tag_1.0-rc", "quay.io/a__b/c.d-e--f_g:Tag_1.0-rc"],
    ["Host/app", "Host/app:latest"],
    ["sha256", "docker.io/library/sha256:latest"],
  ])("reads %s as %s", (text, whole) => {
    expect(formatImageReference(parseImageReference(text))).toBe(whole);
    expect(parseImageReference(whole)).toEqual(parseImageReference(text));
  });

  it.each([
    ["", "unsupported_source"],
    ["Nginx", "unsupported_source"],
    [":tag", "unsupported_source"],
    ["a//b", "unsupported_source"],
    ["a/b/", "unsupported_source"],
    ["a..b", "unsupported_source"],
    ["a___b", "unsupported_source"],
    ["-a", "unsupported_source"],
    ["nginx:", "unsupported_source"],
    ["nginx:-x", "unsupported_source"],
    [`nginx:${"t".repeat(129)}`, "unsupported_source"],
    [hex, "unsupported_source"],
    ["-host.io/app", "unsupported_source"],
    ["host:port/app", "unsupported_source"],
    ["host:123456/app", "unsupported_source"],
    ["host:65536/app", "unsupported_source"],
    ["[::1::2]/app", "unsupported_source"],
    ["https://host/app", "unsupported_source"],
    ["user@host/app", "malformed_digest"],
    ["host.io/../etc", "unsupported_source"],
    [`quay.io/${"a/".repeat(200)}a`, "unsupported_source"],
    ["nginx@sha256:123", "malformed_digest"],
    ["nginx@sha1:aa", "malformed_digest"],
  ])("refuses %j as %s", (text, code) => {
    expect(() => parseImageReference(text)).toThrow(expect.objectContaining({ name: "ScanError", code }));
    expect(() => parseImageReference(text)).toThrow(ScanError);
  });
});
