import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AwsEnvironment, awsCredentials, rememberCredentials, type S3Credentials } from "./aws-credentials.ts";

/** The responses of a host, by `METHOD path`. */
const answers = new Map<string, { readonly status?: number; readonly body: string }>();
const asked: { readonly line: string; readonly headers: IncomingMessage["headers"]; readonly body: string }[] = [];

const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  const line = `${request.method} ${request.url}`;
  asked.push({ line, headers: request.headers, body });
  const { status = 200, body: answer } = answers.get(line) ?? { status: 404, body: "" };
  response.writeHead(status).end(answer);
});
let host = "";
let folder = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = await mkdtemp(join(tmpdir(), "plimsoll-aws-"));
  await writeFile(join(folder, "token"), "web-token\n");
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  answers.clear();
  asked.length = 0;
});

const find = (environment: AwsEnvironment) => awsCredentials(environment, "eu-north-1")();
const expiration = "2026-11-25T21:00:00Z";
const temporary = {
  accessKeyId: "ASIA1",
  secretAccessKey: "secret",
  sessionToken: "session",
  expiresAt: Date.parse(expiration),
};
const json = JSON.stringify({
  AccessKeyId: "ASIA1",
  SecretAccessKey: "secret",
  Token: "session",
  Expiration: expiration,
});
const roles = "GET /latest/meta-data/iam/security-credentials/";

describe("awsCredentials", () => {
  it("takes keys of the environment, with their session", async () => {
    const keys = { AWS_ACCESS_KEY_ID: "AKIA1", AWS_SECRET_ACCESS_KEY: "secret" };

    expect(await find(keys)).toEqual({ accessKeyId: "AKIA1", secretAccessKey: "secret" });
    expect(await find({ ...keys, AWS_SESSION_TOKEN: "session" })).toMatchObject({ sessionToken: "session" });
  });

  it("takes a role for a token in a file", async () => {
    const credentials = `<AccessKeyId>ASIA1</AccessKeyId><SecretAccessKey>secret</SecretAccessKey>
      <SessionToken>session</SessionToken><Expiration>${expiration}</Expiration>`;
    const result = `<AssumeRoleWithWebIdentityResult><Credentials>${credentials}</Credentials></AssumeRoleWithWebIdentityResult>`;
    answers.set("POST /", { body: `<AssumeRoleWithWebIdentityResponse>${result}</AssumeRoleWithWebIdentityResponse>` });
    const role = "arn:aws:iam::1:role/registry";

    expect(
      await find({
        AWS_ROLE_ARN: role,
        AWS_WEB_IDENTITY_TOKEN_FILE: join(folder, "token"),
        AWS_ENDPOINT_URL_STS: host,
      }),
    ).toEqual(temporary);

    expect(Object.fromEntries(new URLSearchParams(asked[0]?.body))).toMatchObject({
      Action: "AssumeRoleWithWebIdentity",
      RoleArn: role,
      WebIdentityToken: "web-token",
    });
  });

  it("takes the role of the container", async () => {
    answers.set("GET /role", { body: json });

    const token = { AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: join(folder, "token") };
    expect(await find({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `${host}/role`, ...token })).toEqual(temporary);

    expect(asked[0]?.headers.authorization).toBe("web-token");
  });

  it("takes the role of the machine, with a token of its metadata service", async () => {
    answers.set("PUT /latest/api/token", { body: "metadata-token" });
    answers.set(roles, { body: "registry\n" });
    answers.set(`${roles}registry`, { body: json });

    expect(await find({ AWS_EC2_METADATA_SERVICE_ENDPOINT: host })).toEqual(temporary);

    expect(asked.slice(1).map(({ headers }) => headers["x-aws-ec2-metadata-token"])).toEqual([
      "metadata-token",
      "metadata-token",
    ]);
  });

  it.each<[string, (host: string) => AwsEnvironment, string]>([
    ["there are none anywhere", () => ({ AWS_EC2_METADATA_DISABLED: "true" }), "neither the settings"],
    ["the machine is of no cloud", (host) => ({ AWS_EC2_METADATA_SERVICE_ENDPOINT: host }), "neither the settings"],
    [
      "the container's host refuses",
      (host) => ({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `${host}/none` }),
      "answered 404",
    ],
    [
      "the container's host has no JSON",
      (host) => ({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `${host}/page` }),
      "not JSON",
    ],
    [
      "the container's host has no key",
      (host) => ({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `${host}/empty` }),
      "gave none",
    ],
    ["the container's host never ends", (host) => ({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `${host}/long` }), "too long"],
  ])("says so where %s", async (_, environment, reason) => {
    answers.set("GET /page", { body: "<html>" });
    answers.set("GET /empty", { body: "{}" });
    answers.set("GET /long", { body: "x".repeat(100_000) });

    await expect(find(environment(host))).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining(reason),
    });
  });
});

describe("rememberCredentials", () => {
  it("calls the source once for concurrent requests and again before expiry, and keeps valid credentials if that fails", async () => {
    let [now, calls] = [0, 0];
    let answer: () => Promise<S3Credentials> = async () => ({ ...temporary, expiresAt: 3_600_000 });
    const source = rememberCredentials(
      async () => {
        calls += 1;
        return answer();
      },
      () => now,
    );

    await Promise.all([source(), source(), source()]);
    now = 3_299_999;
    await source();
    expect(calls).toBe(1);
    now = 3_300_000;
    answer = () => Promise.reject(new Error("the host is away"));
    expect(await source()).toMatchObject({ expiresAt: 3_600_000 });
    now = 3_600_000;
    await expect(source()).rejects.toThrow("away");
    answer = async () => ({ ...temporary, expiresAt: 9_000_000 });
    expect(await source()).toMatchObject({ expiresAt: 9_000_000 });
    expect(calls).toBe(4);
  });
});
