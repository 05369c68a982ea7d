import { describe, expect, it } from "vitest";
import { loadLibrary } from "./load-library.ts";

const notFound = (name: string) =>
  Promise.reject(
    Object.assign(new Error(`Cannot find package '${name}' imported from a`), { code: "ERR_MODULE_NOT_FOUND" }),
  );

describe("loadLibrary", () => {
  it("gives the library", async () => {
    expect(await loadLibrary("a", Promise.resolve({ b: 1 }))).toEqual({ b: 1 });
  });

  it("names the package that is to be installed", async () => {
    const loading = loadLibrary("ldapts", notFound("ldapts"));

    await expect(loading).rejects.toThrow("needs the package ldapts, which is not installed: npm install ldapts");
  });

  it("leaves other failures as they are", async () => {
    await expect(loadLibrary("ldapts", notFound("asn1"))).rejects.toThrow("Cannot find package 'asn1'");
    await expect(loadLibrary("ldapts", Promise.reject(new TypeError("x")))).rejects.toThrow(TypeError);
  });
});
