import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fileOf, indexLayers, listPackages } from "../language/fixtures/index-layers.ts";
import { nixStoreDetector, storePackage } from "./index.ts";

const hash = "0c4q2v5k1ly3d8w7zr9n6jmxgbsipfah".replaceAll(/[eotu]/g, "0");
const inStore = (name: string) => `nix/store/${hash}-${name}`;

describe("storePackage", () => {
  it.each([
    ["glibc-2.38-27", "glibc 2.38-27"],
    ["openssl-3.0.12-bin", "openssl 3.0.12"],
    ["python3-3.11.6", "python3 3.11.6"],
    ["gcc-12.3.0-lib", "gcc 12.3.0"],
    ["python3.11-requests-2.31.0", "python3.11-requests 2.31.0"],
    ["nss-cacert-3.95", "nss-cacert 3.95"],
    ["etc-os-release", undefined],
    ["hello-2.12.drv", undefined],
    ["hello-2.12.tar.gz", undefined],
    ["fix-1.patch", undefined],
    ["source", undefined],
    ["user-environment", undefined],
  ])("reads %s as %s", (name, expected) => {
    const found = storePackage(`${inStore(name)}/bin/x`);

    expect(found && `${found.name} ${found.version}`).toBe(expected);
  });

  it("reads the store of Guix", () => {
    expect(storePackage(`gnu/store/${hash}-openssl-1.1.1/bin/openssl`)).toEqual({ name: "openssl", version: "1.1.1" });
  });

  it.each(["usr/nix/store/x", "nix/store/short-hello-1.0", "nix/var/nix/db/db.sqlite"])(
    "finds no package in %s",
    (path) => {
      expect(storePackage(path)).toBeUndefined();
    },
  );

  it("reads the name and version of any path", () => {
    const names = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
    const versions = fc.stringMatching(/^[0-9]{1,3}(\.[0-9]{1,3}){0,3}$/);
    fc.assert(
      fc.property(names, versions, (name, version) => {
        expect(storePackage(inStore(`${name}-${version}`))).toEqual({ name, version });
      }),
    );
  });
});

describe("nixStoreDetector", () => {
  it("lists a store path once, and none that a later layer removed", async () => {
    const layer = [
      fileOf(`${inStore("glibc-2.38-27")}/lib/libc.so.6`, "a"),
      fileOf(`${inStore("glibc-2.38-27")}/lib/libm.so.6`, "b"),
      fileOf(`${inStore("bash-5.2")}/bin/bash`, "c"),
      fileOf(`${inStore("etc-os-release")}`, "d"),
      fileOf(`gnu/store/${hash}-openssl-1.1.1/bin/openssl`, "e"),
    ];
    const removal = [fileOf(`nix/store/.wh.${hash}-bash-5.2`, "")];

    const report = await indexLayers([layer, removal]);

    expect(listPackages(report)).toEqual([
      `glibc 2.38-27 (nix) ${inStore("glibc-2.38-27")}/lib/libc.so.6`,
      `openssl 1.1.1 (nix) gnu/store/${hash}-openssl-1.1.1/bin/openssl`,
    ]);
    expect(report.coverage).toMatchObject({ status: "complete", unassessed: [] });
  });

  it.each([
    ["a program", "my-app/bin/my-app", 1],
    ["a library", "my-lib/lib/libmy.so", 1],
    ["a configuration", "etc-nginx/etc/nginx.conf", 0],
    ["an environment", "python3-3.11.6-env/bin/python", 0],
    ["what a user has installed", "user-environment/bin/x", 0],
    ["a file", "builder.sh", 0],
  ])("names %s without a version", async (_, path, count) => {
    const report = await indexLayers([[fileOf(inStore(path), "a")]]);

    expect(listPackages(report)).toEqual([]);
    expect(report.coverage.unassessed.map((each) => [each.kind, each.count])).toEqual(
      count > 0 ? [["nix", count]] : [],
    );
  });

  it("keeps pieces of evidence above the limit as unassessed", () => {
    const evidence = { kind: "evidence", path: `${inStore("bash-5.2")}/bin/bash`, packages: "nix", pieces: 3 } as const;

    expect([...nixStoreDetector.detect(evidence)].map((finding) => finding.kind)).toEqual(["package", "evidence"]);
  });
});
