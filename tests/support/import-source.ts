/** A registry to take over from: an organization that has something of everything. */
import { type BuiltImage, buildImage, buildLayer, describeBlob } from "@plimsoll/testing";
import { pushImage } from "./push-image.ts";
import { firstUser, type RegistryProcess } from "./registry-process.ts";

/** What an import is compared by. */
export interface FilledSource {
  readonly images: Readonly<Record<"one" | "two", BuiltImage>>;
  /** Refers to the image `one`. */
  readonly attached: BuiltImage;
}

const basic = `Basic ${Buffer.from(`${firstUser.username}:${firstUser.password}`).toString("base64")}`;

/** Fills a registry: the organization `acme` with teams, robots, repositories, images, rules, and a tag that ends in 2100. */
export async function fillSource({ host, call }: RegistryProcess): Promise<FilledSource> {
  await call("POST", "/organization/", { name: "acme", email: "acme@example.com" });
  await call("PUT", "/organization/acme", { tag_expiration_s: 86_400 });
  for (const username of ["bob", "carol"])
    await call("POST", "/superuser/users/", { username, email: `${username}@example.com` });
  await call("PUT", "/organization/acme/robots/ci", { description: "builds", unstructured_metadata: { of: "ci" } });
  await call("PUT", "/organization/acme/team/devs", { role: "creator", description: "who writes" });
  for (const member of ["acme+ci", "bob", "carol"]) await call("PUT", `/organization/acme/team/devs/members/${member}`);
  for (const [repository, visibility] of [
    ["app", "public"],
    ["tools/deep", "private"],
    ["copy", "private"],
  ])
    await call("POST", "/repository", { namespace: "acme", repository, visibility, description: `# ${repository}` });
  await call("PUT", "/repository/acme/app/permissions/team/devs", { role: "write" });
  await call("PUT", "/repository/acme/app/permissions/user/carol", { role: "read" });
  await call("DELETE", "/repository/acme/app/permissions/user/alice");
  const shared = await buildLayer({ "etc/base": "base".repeat(1000) });
  const images = {
    one: buildImage({ layers: [shared, await buildLayer({ "etc/motd": "one" })] }),
    two: buildImage({ layers: [shared, await buildLayer({ "etc/motd": "two" })] }),
  };
  const attached = buildImage({
    layers: [await buildLayer({ "note.txt": "note" })],
    manifest: { subject: describeBlob(images.one) },
  });
  const app = `http://${host}/v2/acme/app`;
  await pushImage(app, basic, { image: images.one, reference: "v1" });
  await pushImage(app, basic, { image: images.two, reference: "v2" });
  await pushImage(app, basic, { image: attached, reference: attached.digest });
  await pushImage(`http://${host}/v2/acme/tools/deep`, basic, { image: images.two, reference: "latest" });
  await call("PUT", "/repository/acme/app/tag/v2", { expiration: 4_102_444_800 });
  await call("PUT", "/repository/acme/app/tag/v1", { immutable: true });
  const label = { key: "owner", value: "devs", media_type: "text/plain" };
  await call("POST", `/repository/acme/app/manifest/${images.one.digest}/labels`, label);
  const target = { name: "devs", kind: "team" };
  await call("POST", "/repository/acme/app/notification/", {
    ...{ event: "repo_push", method: "quay_notification", title: "pushed" },
    ...{ config: { target }, eventConfig: {} },
  });
  await call("POST", "/repository/acme/app/notification/", {
    ...{ event: "repo_push", method: "webhook", title: "hook" },
    ...{ config: { url: "http://127.0.0.1:9/hook" }, eventConfig: {} },
  });
  await call("POST", "/organization/acme/notifications", {
    ...{ event: "quota_error", method: "quay_notification", title: "full" },
    ...{ config: { target: { name: "acme", kind: "org" } }, eventConfig: {} },
  });
  await call("POST", "/repository/acme/app/autoprunepolicy/", { method: "number_of_tags", value: 50 });
  await call("POST", "/organization/acme/autoprunepolicy/", { method: "creation_date", value: "52w" });
  await call("POST", "/organization/acme/prototypes", { role: "read", delegate: { name: "devs", kind: "team" } });
  await call("POST", "/repository/acme/copy/mirror", {
    ...{ external_reference: "127.0.0.1:9/library/busybox", robot_username: "acme+ci", sync_interval: 86_400 },
    ...{ sync_start_date: "2100-01-01T00:00:00Z", root_rule: { rule_kind: "tag_glob_csv", rule_value: ["1.*"] } },
    ...{ external_registry_username: "puller", external_registry_password: "secret" },
  });
  await call("POST", "/organization/acme/robots/ci/federation", [
    { issuer: "https://ci.example", subject: "repo:acme" },
  ]);
  await call("POST", "/repository/acme/app/immutabilitypolicy/", { tagPattern: "release-.*" });
  await call("POST", "/organization/acme/immutabilitypolicy/", { tagPattern: "lts-.*", tagPatternMatches: true });
  const rule = { vulnerability: "CVE-2024-0001", reason: "our own input only", expires: inAMonth() };
  await call("POST", "/organization/acme/ignorerules", rule);
  await call("POST", "/repository/acme/app/ignorerules", { ...rule, package: "pkg:deb/debian/zlib1g" });
  await call("PUT", "/organization/acme/pullgate", { severity: "Critical", mode: "dry_run" });
  await call("POST", "/organization/acme/pullgate/exceptions", {
    package: "openssl",
    reason: "x",
    expires: inAMonth(),
  });
  await call("PUT", "/repository/acme/tools/deep/changestate", { state: "READ_ONLY" });
  await call("POST", "/organization/acme/quota", { limit_bytes: 10_000_000 });
  const [{ id }] = (await call("GET", "/organization/acme/quota")) as [{ readonly id: number }];
  await call("POST", `/organization/acme/quota/${id}/limit`, { type: "Warning", threshold_percent: 80 });
  await call("POST", "/organization/acme/applications", { name: "dashboard" });
  return { images, attached };
}

function inAMonth(): string {
  return new Date(Date.now() + 30 * 86_400_000).toISOString().replace(/\.\d+Z/, "Z");
}
