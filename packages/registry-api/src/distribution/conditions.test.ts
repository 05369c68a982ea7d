/** Conditional reading of blobs and manifests. @see https://www.rfc-editor.org/rfc/rfc9110#section-13 */
import { usualTestEngine } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestDistribution, type PushedImage, type TestDistribution } from "../fixtures/test-distribution.ts";

const name = "alice/images";
let world: TestDistribution;
let image: PushedImage;
beforeAll(async () => {
  world = await openTestDistribution({ engine: usualTestEngine });
  image = await world.pushImage(name, "latest", { layer: "0123456789" });
});
afterAll(() => world[Symbol.asyncDispose]());

/** `TAG` is the entity tag. */
const rows = [
  { headers: {}, status: 200 },
  { headers: { "if-none-match": "TAG" }, status: 304 },
  { headers: { "if-none-match": "W/TAG" }, status: 304 },
  { headers: { "if-none-match": '"x", W/"y",TAG' }, status: 304 },
  { headers: { "if-none-match": "*" }, status: 304 },
  { headers: { "if-none-match": '"x"' }, status: 200 },
  { headers: { "if-match": "TAG" }, status: 200 },
  { headers: { "if-match": '"x" , TAG' }, status: 200 },
  { headers: { "if-match": "*" }, status: 200 },
  { headers: { "if-match": "W/TAG" }, status: 412 },
  { headers: { "if-match": '"x"' }, status: 412 },
  { headers: { "if-match": '"x"', "if-none-match": "TAG" }, status: 412 },
  { headers: { "if-match": "TAG", "if-none-match": "TAG" }, status: 304 },
  { headers: { "if-modified-since": "Sat, 29 Oct 2094 19:43:31 GMT" }, status: 200 },
] as const;

const places = ["blob", "manifest by tag", "manifest by digest"] as const;
const pathOf = (place: (typeof places)[number]) => {
  if (place === "blob") return `${name}/blobs/${image.layer}`;
  return `${name}/manifests/${place === "manifest by tag" ? "latest" : image.digest}`;
};
const digestIn = (place: (typeof places)[number]) => (place === "blob" ? image.layer : image.digest);
const withTag = (headers: object, digest: string) =>
  Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, String(value).replace("TAG", `"${digest}"`)]));

describe.each(places)("reading a %s with conditions", (place) => {
  it.each(rows)("answers $status to $headers, to HEAD as to GET", async ({ headers, status }) => {
    const digest = digestIn(place);
    const given = withTag(headers, digest);

    const get = await world.send("GET", pathOf(place), { headers: given });
    const head = await world.send("HEAD", pathOf(place), { headers: given });

    expect([get.status, head.status]).toEqual([status, status]);
    const text = await get.text();
    if (status === 412) expect(JSON.parse(text)).toMatchObject({ errors: [{ code: "PRECONDITION_FAILED" }] });
    else expect([get.headers.get("etag"), head.headers.get("etag")]).toEqual([`"${digest}"`, `"${digest}"`]);
    if (status === 304) expect([text, get.headers.get("content-length")]).toEqual(["", null]);
  });
});

describe("changing blobs, and what has no version, with conditions", () => {
  it.each([
    ["DELETE", "blobs/LOOSE", "if-match", '"x"', 412],
    ["DELETE", "blobs/LOOSE", "if-match", '"LOOSE"', 202],
    ["DELETE", "blobs/LOOSE", "if-none-match", "*", 412],
    ["POST", "blobs/uploads/", "if-match", '"x"', 412],
    ["POST", "blobs/uploads/", "if-match", "*", 202],
    ["POST", "blobs/uploads/", "if-none-match", "*", 412],
    ["POST", "blobs/uploads/", "if-none-match", '"x"', 202],
    ["PATCH", "blobs/uploads/UPLOAD", "if-match", '"x"', 412],
    ["PUT", "blobs/uploads/UPLOAD", "if-match", '"x"', 412],
    ["PUT", "blobs/uploads/UPLOAD", "if-none-match", "*", 412],
    ["DELETE", "blobs/uploads/UPLOAD", "if-match", '"x"', 412],
    ["DELETE", "blobs/uploads/UPLOAD", "if-match", "*", 204],
    ["GET", "tags/list", "if-match", '"x"', 412],
    ["GET", "tags/list", "if-match", "*", 200],
    ["GET", "tags/list", "if-none-match", "*", 200],
  ])("%s %s with %s: %s answers %i", async (method, path, header, condition, status) => {
    const loose = await world.pushBlob(name, "no image needs it");
    const begun = await world.send("POST", `${name}/blobs/uploads/`);
    const upload = (begun.headers.get("location") ?? "").split("/").at(-1) ?? "";
    const named = (text: string) => text.replace("LOOSE", loose).replace("UPLOAD", upload);

    const response = await world.send(method, `${name}/${named(path)}`, { headers: { [header]: named(condition) } });

    expect(response.status).toBe(status);
  });
});

describe("reading a part of a blob", () => {
  it.each([
    { headers: { range: "bytes=2-4" }, status: 206, text: "234" },
    { headers: { range: "Bytes=2-4" }, status: 206, text: "234" },
    { headers: { range: "bytes=2-4", "if-range": "TAG" }, status: 206, text: "234" },
    { headers: { range: "bytes=2-4", "if-range": "W/TAG" }, status: 200, text: "0123456789" },
    { headers: { range: "bytes=2-4", "if-range": '"x"' }, status: 200, text: "0123456789" },
    { headers: { range: "bytes=2-4", "if-range": "Sat, 29 Oct 1994 19:43:31 GMT" }, status: 200, text: "0123456789" },
    { headers: { range: "bytes=20-", "if-range": '"x"' }, status: 200, text: "0123456789" },
    { headers: { range: "bytes=20-" }, status: 416, text: "" },
    { headers: { range: "bytes=2-4", "if-none-match": "TAG" }, status: 304, text: "" },
    { headers: { range: "bytes=2-4", "if-match": "TAG" }, status: 206, text: "234" },
    { headers: { range: "lines=2-4" }, status: 200, text: "0123456789" },
  ])("answers $status to $headers", async ({ headers, status, text }) => {
    const given = withTag(headers, image.layer);

    const response = await world.send("GET", `${name}/blobs/${image.layer}`, { headers: given });

    expect([response.status, await response.text()]).toEqual([status, text]);
  });
});
