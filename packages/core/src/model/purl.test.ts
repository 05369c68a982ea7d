import { describe, expect, it } from "vitest";
import { formatPurl, parsePurl } from "./purl.ts";

/** Inputs and canonical forms, most of them examples of the purl specification. */
const rows: readonly (readonly [input: string, canonical: string])[] = [
  ["pkg:maven/org.apache.commons/io@1.3.4", "pkg:maven/org.apache.commons/io@1.3.4"],
  ["pkg:maven/HTTPClient/HTTPClient@0.3-3", "pkg:maven/HTTPClient/HTTPClient@0.3-3"],
  ["pkg:/maven/org.apache.commons/io", "pkg:maven/org.apache.commons/io"],
  ["PKG:///maven//org.apache.commons/io", "pkg:maven/org.apache.commons/io"],
  ["pkg:maven/g/a@1.0.0%20Final?mykey=my%20value", "pkg:maven/g/a@1.0.0%20Final?mykey=my%20value"],
  [
    "pkg:Maven/org.apache.xmlgraphics/batik-anim@1.9.1?repositorY_url=repo.example/release&classifier=sources&x=",
    "pkg:maven/org.apache.xmlgraphics/batik-anim@1.9.1?classifier=sources&repository_url=repo.example%2Frelease",
  ],
  [
    "pkg:GOLANG/google.golang.org/genproto@abcdedf#/googleapis/./api/../annotations/",
    "pkg:golang/google.golang.org/genproto@abcdedf#googleapis/api/annotations",
  ],
  ["pkg:golang/github.com/Azure/go-autorest@v1", "pkg:golang/github.com/azure/go-autorest@v1"],
  ["pkg:golang/x/y#a/%2e%2e/b", "pkg:golang/x/y#a/b"],
  ["pkg:github/Package-url/purl-Spec@244fd47e", "pkg:github/package-url/purl-spec@244fd47e"],
  ["pkg:npm/%40angular/animation@12.3.1", "pkg:npm/%40angular/animation@12.3.1"],
  ["pkg:npm/@angular/animation@12.3.1", "pkg:npm/%40angular/animation@12.3.1"],
  ["pkg:npm/@babel/core#/googleapis/api/", "pkg:npm/%40babel/core#googleapis/api"],
  ["pkg:npm/%40MyScope/MyPackage@1.0.0", "pkg:npm/%40myscope/mypackage@1.0.0"],
  ["pkg:npm/foobar@", "pkg:npm/foobar"],
  ["pkg:npm/foo@1.2.3-%F0%9F%98%83", "pkg:npm/foo@1.2.3-%F0%9F%98%83"],
  ["pkg:pypi/My.PyPI_.--._Package@1.11.1.dev1", "pkg:pypi/my-pypi-package@1.11.1.dev1"],
  ["pkg:PYPI/Django_package@1.11.1.dev1", "pkg:pypi/django-package@1.11.1.dev1"],
  ["pkg:nuget/EnterpriseLibrary.Common@6.0.1304", "pkg:nuget/EnterpriseLibrary.Common@6.0.1304"],
  ["pkg:gem/jruby-launcher@1.1.2?Platform=java", "pkg:gem/jruby-launcher@1.1.2?platform=java"],
  ["pkg:deb/debian/attr@1:2.4.47-2%2Bb1?arch=amd64", "pkg:deb/debian/attr@1:2.4.47-2%2Bb1?arch=amd64"],
  ["pkg:deb/Debian/Attr@1%3A2.4.47-2+b1?arch=amd64", "pkg:deb/debian/attr@1:2.4.47-2%2Bb1?arch=amd64"],
  ["pkg:deb/ubuntu/gcc@4:11.2.0-1ubuntu1~22.04", "pkg:deb/ubuntu/gcc@4:11.2.0-1ubuntu1~22.04"],
  [
    "pkg:Rpm/Fedora/Curl@7.50.3-1.fc25?Arch=i386&Distro=fedora-25&epoch=1",
    "pkg:rpm/fedora/Curl@7.50.3-1.fc25?arch=i386&distro=fedora-25&epoch=1",
  ],
  ["pkg:apk/Alpine/APK@2.12.9-r3?arch=x86", "pkg:apk/alpine/apk@2.12.9-r3?arch=x86"],
  [
    "pkg:oci/Debian@sha256%3A244fd47e07d10?repository_url=registry.example/debian&tag=bullseye",
    "pkg:oci/debian@sha256:244fd47e07d10?repository_url=registry.example%2Fdebian&tag=bullseye",
  ],
  [
    "pkg:generic/bitwarderl?checksum=sha1:ad95,sha256:41bf&vcs_url=git%2Bhttps://git.example/b%40cc55",
    "pkg:generic/bitwarderl?checksum=sha1:ad95%2Csha256:41bf&vcs_url=git%2Bhttps:%2F%2Fgit.example%2Fb%40cc55",
  ],
  ["pkg:generic/a(b)'c'!*@1", "pkg:generic/a%28b%29%27c%27%21%2A@1"],
  ["pkg:swift/github.com/Alamofire/Alamofire@5.4.3", "pkg:swift/github.com/Alamofire/Alamofire@5.4.3"],
];

describe("parsePurl", () => {
  it.each(rows)("reads %s", (input, canonical) => {
    expect(formatPurl(parsePurl(input))).toBe(canonical);
    expect(parsePurl(canonical)).toEqual(parsePurl(input));
  });

  it("decodes the parts", () => {
    expect(parsePurl("pkg:deb/debian/attr@1:2.4.47-2%2Bb1?distro=debian-12&arch=amd64#usr/share%20doc")).toEqual({
      type: "deb",
      namespace: "debian",
      name: "attr",
      version: "1:2.4.47-2+b1",
      qualifiers: { arch: "amd64", distro: "debian-12" },
      subpath: "usr/share doc",
    });
    expect(parsePurl("pkg:cargo/rand")).toEqual({ type: "cargo", name: "rand", qualifiers: {} });
  });

  it.each([
    ["", "the scheme pkg:"],
    ["EnterpriseLibrary.Common@6.0.1304", "the scheme pkg:"],
    ["pkg%3Amaven/org.apache.commons/io", "the scheme pkg:"],
    ["pkg:EnterpriseLibrary.Common@6.0.1304", "a type and a name"],
    ["pkg:", "a type and a name"],
    ["pkg:npm/", "a type and a name"],
    ["pkg:maven/@1.3.4", "a type and a name"],
    ["pkg:swift/github.com/Alamofire/@5.4.3", "a type and a name"],
    ["pkg:n&g?inx/nginx@0.8.9", "a type and a name"],
    ["pkg:3nginx/nginx@0.8.9", "a type of letters"],
    ["pkg:nginx:a/nginx@0.8.9", "a type of letters"],
    ["pkg:npm/x@1.0.0?in%20production=true", "a qualifier key of letters"],
    ["pkg:npm/x@1.0.0?__proto__=true", "a qualifier key of letters"],
    ["pkg:npm/x@1.0.0?production", "qualifiers of the form key=value"],
    ["pkg:npm/x@1.0.0?a=1&A=2", "each qualifier once"],
    ["pkg:npm/x%zz", "percent-encoded UTF-8"],
    ["pkg:npm/x%ff", "percent-encoded UTF-8"],
    ["pkg:cran/A3", "a version"],
    ["pkg:swift/Alamofire@5.4.3", "a namespace"],
    [`pkg:npm/x@1?${"a".repeat(16_384)}=1`, "at most 16384 characters"],
  ])("refuses %j: expected %s", (text, expected) => {
    const parse = () => parsePurl(text);

    expect(parse).toThrow(`package URL: expected ${expected}`);
    expect(parse).toThrow(expect.objectContaining({ code: "malformed_purl" }));
  });
});

describe("formatPurl", () => {
  it.each([
    ["an empty qualifier beside the same one with a value", "pkg:rpm/a@1?epoch=&epoch=1", { epoch: "1" }],
    ["the same qualifier twice with the same value", "pkg:rpm/a@1?arch=x&arch=x", { arch: "x" }],
  ])("reads %s", (_, text, qualifiers) => {
    expect(parsePurl(text).qualifiers).toEqual(qualifiers);
  });

  it("sorts qualifiers and leaves out what is empty", () => {
    const parts = {
      type: "RPM",
      namespace: "/Fedora/",
      name: "x",
      version: "",
      qualifiers: { distro: "f", arch: "", a: "b" },
    };

    expect(formatPurl(parts)).toBe("pkg:rpm/fedora/x?a=b&distro=f");
  });

  it.each([
    [{ type: "deb", name: "", qualifiers: {} }],
    [{ type: "", name: "x", qualifiers: {} }],
    [{ type: "deb", name: "\ud800", qualifiers: {} }],
    [{ type: "deb", name: " ".repeat(6_000), qualifiers: {} }], // each is encoded as three characters
  ])("refuses %j", (parts) => {
    expect(() => formatPurl(parts)).toThrow(expect.objectContaining({ code: "malformed_purl" }));
  });
});
