import { parseImageReference } from "@plimsoll/core/image";
import { describe, expect, it } from "vitest";
import { type AskCredentialHelper, dockerCredentials } from "./docker-credentials.ts";

const noHelper: AskCredentialHelper = async () => undefined;
const base64 = (text: string) => Buffer.from(text).toString("base64");
const basic = (username: string, password: string) => ({ kind: "basic", username, password });

async function find(config: unknown, image: string, askHelper = noHelper): Promise<unknown> {
  const source = dockerCredentials({ path: "config.json", text: JSON.stringify(config) }, askHelper);
  return source.find(parseImageReference(image));
}

describe("dockerCredentials", () => {
  it.each<[string, unknown, string, unknown]>([
    ["auth", { "quay.io": { auth: base64("a:b") } }, "quay.io/x/y", basic("a", "b")],
    ["a colon in the password", { "quay.io": { auth: base64("a:b:c") } }, "quay.io/x/y", basic("a", "b:c")],
    ["a padded auth", { "quay.io": { auth: base64("a:b\0\0") } }, "quay.io/x/y", basic("a", "b")],
    ["an empty password", { "quay.io": { auth: base64("a:") } }, "quay.io/x/y", basic("a", "")],
    ["separate members", { "quay.io": { username: "a", password: "b" } }, "quay.io/x/y", basic("a", "b")],
    [
      "an identity token",
      { "quay.io": { auth: base64("a:"), identitytoken: "t" } },
      "quay.io/x",
      { kind: "identity-token", token: "t" },
    ],
    ["a registry token", { "quay.io": { registrytoken: "t" } }, "quay.io/x", { kind: "registry-token", token: "t" }],
    ["docker's old key", { "https://index.docker.io/v1/": { auth: base64("a:b") } }, "nginx", basic("a", "b")],
    ["docker's host", { "docker.io": { auth: base64("a:b") } }, "nginx", basic("a", "b")],
    ["docker's API host", { "registry-1.docker.io": { auth: base64("a:b") } }, "nginx", basic("a", "b")],
    ["a URL", { "https://reg.example/v2/": { auth: base64("a:b") } }, "reg.example/x", basic("a", "b")],
    ["a port", { "localhost:5000": { auth: base64("a:b") } }, "localhost:5000/x", basic("a", "b")],
    ["another port", { "localhost:5000": { auth: base64("a:b") } }, "localhost:5001/x", undefined],
    ["another host", { "quay.io": { auth: base64("a:b") } }, "evil-quay.io/x", undefined],
    ["an empty entry", { "quay.io": {} }, "quay.io/x", undefined],
    ["an entry that is none", { "quay.io": "text" }, "quay.io/x", undefined],
    ["no entries", undefined, "quay.io/x", undefined],
  ])("reads %s", async (_name, auths, image, credential) => {
    expect(await find({ auths }, image)).toEqual(credential);
  });

  it("prefers the key that names most of the repository", async () => {
    const auths = {
      "quay.io": { auth: base64("host:1") },
      "quay.io/org": { auth: base64("org:2") },
      "quay.io/org/app": { auth: base64("app:3") },
    };
    expect(await find({ auths }, "quay.io/org/app")).toEqual(basic("app", "3"));
    expect(await find({ auths }, "quay.io/org/other")).toEqual(basic("org", "2"));
    expect(await find({ auths }, "quay.io/organization/app")).toEqual(basic("host", "1"));
  });

  it.each([
    ["the registry's helper", { credHelpers: { "quay.io": "one" }, credsStore: "two" }, "quay.io/x", "one quay.io"],
    ["the store", { credsStore: "two" }, "quay.io/x", "two quay.io"],
    ["docker.io by its old name", { credsStore: "two" }, "nginx", "two https://index.docker.io/v1/"],
  ])("asks %s", async (_name, config, image, asked) => {
    const calls: string[] = [];
    const found = await find(config, image, async (helper, server) => {
      calls.push(`${helper} ${server}`);
      return { kind: "basic", username: "a", password: "b" };
    });
    expect(calls).toEqual([asked]);
    expect(found).toEqual(basic("a", "b"));
  });

  it("takes the entry when the helper knows nothing", async () => {
    expect(await find({ credsStore: "x", auths: { "quay.io": { auth: base64("a:b") } } }, "quay.io/x")).toEqual(
      basic("a", "b"),
    );
  });

  it("does not repeat what a broken file or entry holds", async () => {
    const broken = () => dockerCredentials({ path: "config.json", text: '{"auths": s3cret' }, noHelper);
    expect(broken).toThrow(
      expect.objectContaining({ code: "unauthorized", message: expect.not.stringContaining("s3cret") }),
    );
    const error = await find({ auths: { "quay.io": { auth: "s3cret" } } }, "quay.io/x").catch(
      (caught: unknown) => caught,
    );
    expect(error).toMatchObject({ code: "unauthorized", message: expect.stringContaining("quay.io") });
    expect(String(error)).not.toContain("s3cret");
  });
});
