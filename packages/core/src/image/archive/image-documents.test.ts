import { describe, expect, it } from "vitest";
import { chooseLayoutRoots } from "./image-documents.ts";

const mediaType = "application/vnd.oci.image.manifest.v1+json";
const refName = "org.opencontainers.image.ref.name";
const digestOf = (digit: string) => `sha256:${digit.repeat(64)}`;

function choose(manifests: readonly object[], ref?: string): string {
  const bytes = Buffer.from(JSON.stringify({ schemaVersion: 2, manifests }));
  try {
    return chooseLayoutRoots(bytes, "layout", ref)
      .map(({ digest }) => digest.slice(7, 8))
      .join("");
  } catch (error) {
    return String(error);
  }
}

function descriptor(digit: string, annotations?: Readonly<Record<string, string>>, platform?: object): object {
  return { mediaType, digest: digestOf(digit), size: 1, annotations, platform };
}

const named = (digit: string, name: string) => descriptor(digit, { [refName]: name });
const attestation = descriptor("f", undefined, { os: "unknown", architecture: "unknown" });

describe("chooseLayoutRoots", () => {
  it.each<[string, readonly object[], string | undefined, string | RegExp]>([
    ["the only one", [descriptor("a")], undefined, "a"],
    ["the only one, whatever it is called", [named("a", "x")], undefined, "a"],
    ["one beside attestations", [descriptor("a"), attestation], undefined, "a"],
    ["platforms without names", [descriptor("a"), descriptor("b")], undefined, "ab"],
    ["platforms of the same name", [named("a", "x"), named("b", "x")], undefined, "ab"],
    ["one image under two names", [named("a", "x"), named("a", "y")], undefined, "aa"],
    ["by name", [named("a", "x"), named("b", "y")], "y", "b"],
    ["by digest", [named("a", "x"), named("b", "y")], digestOf("b"), "b"],
    [
      "by containerd's name",
      [descriptor("a", { "io.containerd.image.name": "docker.io/library/x:1" }), named("b", "y")],
      "x:1",
      "a",
    ],
    ["nothing by an unknown name", [named("a", "x"), named("b", "y")], "z", /not_found|no image "z", but x, y/],
    ["nothing among several", [named("a", "x"), named("b", "y")], undefined, /several images.*x, y/],
    ["nothing among named and nameless", [named("a", "x"), descriptor("b")], undefined, /several images.*x/],
  ])("takes %s", (_name, manifests, ref, chosen) => {
    if (typeof chosen === "string") expect(choose(manifests, ref)).toBe(chosen);
    else expect(choose(manifests, ref)).toMatch(chosen);
  });

  it("lists only some of very many names", () => {
    const many = Array.from({ length: 50 }, (_, index) => ({
      ...named("a", `n${index}`),
      digest: `sha256:${String(index).padStart(64, "0")}`,
    }));
    expect(choose(many)).toMatch(/n19 and 30 more$/);
  });
});
