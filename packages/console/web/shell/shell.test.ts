import { describe, expect, it } from "vitest";
import { placeOf } from "../places.ts";
import { pageTitle } from "./shell.tsx";

describe("pageTitle", () => {
  it.each([
    ["/", "Plimsoll"],
    ["/search", "Search – Plimsoll"],
    ["/account", "Your account – Plimsoll"],
    ["/admin", "Administration – Plimsoll"],
    ["/namespace/admin", "admin – Plimsoll"],
    ["/explorer", "API – Plimsoll"],
    ["/cve/CVE-2024-45491", "CVE-2024-45491 – Plimsoll"],
    ["/library", "library – Plimsoll"],
    ["/library/shop", "shop – library – Plimsoll"],
    ["/library/a/shop:1.1", "a/shop:1.1 – library – Plimsoll"],
    [`/library/shop@sha256:${"a".repeat(64)}`, "shop@aaaaaaaaaaaa – library – Plimsoll"],
    ["/api/nothing", "Page not found – Plimsoll"],
  ])("of %s is %s", (path, title) => {
    expect(pageTitle(placeOf(path), "Plimsoll")).toBe(title);
  });

  it("is what the page shows alone while the registry's name is not known", () => {
    expect(pageTitle(placeOf("/library"), "")).toBe("library");
  });
});
