/** A registry in this process whose settings and contents have secrets everywhere. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { SettingName } from "../../packages/server/src/config/all-settings.ts";
import { environmentName } from "../../packages/server/src/config/settings.ts";
import type { Planted } from "./planted.ts";

/** Nothing listens there. */
export const nowhere = "127.0.0.1:1";

const names = [
  ...[
    "smtpUrl",
    "webhookTarget",
    "webhookSecret",
    "webhookHeaders",
    "tracesHeaders",
    "httpsProxy",
    "feeds",
    "oidcProviders",
  ],
  ...["ldapUrl", "ldapBindPassword", "password", "wrongPassword", "newPassword", "mirrorPassword", "mirrorProxy"],
  ...["proxyPassword", "hookUrl", "hookSecret", "bearer", "cookie", "code", "query", "clientSecret"],
] as const;

/** A secret for each place, none of which is part of another one. */
export function newSecrets(): Record<(typeof names)[number], string> {
  return Object.fromEntries(names.map((name, index) => [name, `plant${100 + index}-9xQ7zK`])) as never;
}

/** The environment of `plimsoll serve`. */
export function plantedEnvironment(
  planted: Record<(typeof names)[number], string>,
  { folder, traces, feeds }: Readonly<Record<"folder" | "traces" | "feeds", string>>,
): Readonly<Record<string, string>> {
  const provider = { service: "corp", issuer: "https://id.example", clientId: "registry" };
  const settings: Partial<Record<SettingName, string>> = {
    data: folder,
    port: "0",
    healthPort: "0",
    logLevel: "debug",
    superusers: "alice",
    features: JSON.stringify({ superuserFullAccess: true }),
    allowedInternalHosts: "127.0.0.0/8",
    smtpUrl: `smtp://user:${planted.smtpUrl}@${nowhere}`,
    smtpPlain: "true",
    mailFrom: "registry@example.com",
    ldapUrl: `ldap://${nowhere}/?${planted.ldapUrl}`,
    ldapBindDn: "cn=registry,dc=example",
    ldapBindPassword: planted.ldapBindPassword,
    ldapUserBase: "dc=example",
    oidcProviders: JSON.stringify([{ ...provider, clientSecret: planted.oidcProviders }]),
    notificationCallback: "https://scanner.example/",
    webhookTarget: `http://${nowhere}/${planted.webhookTarget}`,
    webhookSecret: `whsec_${Buffer.from(planted.webhookSecret.padEnd(32, "+")).toString("base64")}`,
    webhookHeaders: JSON.stringify({ authorization: [`Bearer ${planted.webhookHeaders}`] }),
    tracesEndpoint: traces,
    tracesHeaders: JSON.stringify({ authorization: `Bearer ${planted.tracesHeaders}` }),
    httpsProxy: `http://user:${planted.httpsProxy}@${nowhere}`,
    feeds: JSON.stringify({ debian: `${feeds}?token=${planted.feeds}` }),
    updaters: "debian",
    pollPeriodSeconds: "1",
  };
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [environmentName(name), value ?? ""]));
}

/** Calls of the management API. */
export class PlantedClient {
  readonly #address: string;
  #token: string | undefined;

  constructor(address: string) {
    this.#address = address;
  }

  async call(method: string, path: string, body?: object): Promise<Readonly<Record<string, unknown>>> {
    const bearer = this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` };
    const headers = { "content-type": "application/json", ...bearer };
    const sent = body && { body: JSON.stringify(body) };
    const answer = await fetch(`${this.#address}/api/v1${path}`, { method, headers, ...sent });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text || "{}");
  }

  /** Sends a request as it is. @returns the status, the headers and the body */
  async send({ path, ...init }: PlantedRequest): Promise<string> {
    const answer = await fetch(`${this.#address}${path}`, { redirect: "manual", ...init });
    return `${answer.status} ${JSON.stringify([...answer.headers])} ${await answer.text()}`;
  }

  /** Makes one of everything that has a secret. @returns the secrets that the server made */
  async plant(planted: Record<(typeof names)[number], string>, hook: string): Promise<Planted> {
    const first = { username: "alice", password: planted.password, email: "alice@example.com", access_token: true };
    const { access_token } = await this.call("POST", "/user/initialize", first);
    this.#token = String(access_token);
    const { token: robotToken } = await this.call("PUT", "/user/robots/ci", {});
    const { token: made } = await this.call("POST", "/user/apptoken", { title: "ci" });
    await this.call("POST", "/organization/", { name: "acme", email: "acme@example.com" });
    const application = await this.call("POST", "/organization/acme/applications", { name: "dashboard" });
    await this.#plantNotification(planted, hook);
    await this.#plantUpstreams(planted);
    await this.call("POST", "/recovery", { email: "alice@example.com" });
    return {
      oauthToken: this.#token,
      robotToken: String(robotToken),
      appToken: (made as { readonly token_code: string }).token_code,
      applicationSecret: String(application.client_secret),
    };
  }

  async #plantNotification({ hookUrl, hookSecret }: Record<"hookUrl" | "hookSecret", string>, hook: string) {
    const repository = { namespace: "alice", repository: "app", visibility: "private", description: "" };
    await this.call("POST", "/repository", repository);
    const secret = `whsec_${Buffer.from(hookSecret.padEnd(32, "+")).toString("base64")}`;
    const path = "/repository/alice/app/notification/";
    const config = { url: `${hook}?token=${hookUrl}`, secret };
    const notification = { event: "repo_push", method: "webhook", title: "hook", eventConfig: {}, config };
    const { uuid } = await this.call("POST", path, notification);
    await this.call("POST", `${path}${uuid}/test`);
    const [ofAcme, quota] = ["/organization/acme/notifications", { ...notification, event: "quota_warning" }];
    const { uuid: other } = await this.call("POST", ofAcme, quota);
    await this.call("POST", `${ofAcme}/${other}/test`);
  }

  async #plantUpstreams(planted: Record<"proxyPassword" | "mirrorPassword" | "mirrorProxy", string>) {
    const [external_registry_username, path] = ["user", "/repository/alice/mirrored"];
    await this.call("POST", "/organization/acme/proxycache", {
      upstream_registry: nowhere,
      upstream_registry_username: "user",
      upstream_registry_password: planted.proxyPassword,
    });
    const repository = { namespace: "alice", repository: "mirrored", visibility: "private", description: "" };
    await this.call("POST", "/repository", repository);
    await this.call("PUT", `${path}/changestate`, { state: "MIRROR" });
    await this.call("POST", `${path}/mirror`, {
      external_reference: `${nowhere}/a/b`,
      external_registry_username,
      external_registry_password: planted.mirrorPassword,
      external_registry_config: { proxy: { https_proxy: `http://user:${planted.mirrorProxy}@${nowhere}` } },
      sync_interval: 3600,
      sync_start_date: "2020-01-01T00:00:00Z",
      root_rule: { rule_kind: "tag_glob_csv", rule_value: ["*"] },
      robot_username: "alice+ci",
    });
    await this.call("POST", `${path}/mirror/sync-now`);
  }
}

/** A request to the registry. */
export type PlantedRequest = RequestInit & { readonly path: string };

/** Requests with secrets that fail. */
export function failingRequests(planted: Record<(typeof names)[number], string>): readonly PlantedRequest[] {
  const basic = { authorization: `Basic ${Buffer.from(`alice:${planted.wrongPassword}`).toString("base64")}` };
  const json = { "content-type": "application/json" };
  const signIn = { username: "alice", password: planted.wrongPassword };
  const token = { grant_type: "authorization_code", client_secret: planted.clientSecret, code: planted.code };
  return [
    { path: "/v2/", headers: basic },
    { path: `/v2/auth?account=alice&service=x&scope=${planted.query}`, headers: basic },
    { path: "/v2/acme/app/manifests/latest", headers: basic },
    { path: "/api/v1/user/", headers: { authorization: `Bearer ${planted.bearer}` } },
    { path: "/api/v1/user/", headers: { cookie: `session=${planted.cookie}` } },
    { path: "/api/v1/signin", method: "POST", headers: json, body: JSON.stringify(signIn) },
    { path: "/api/v1/signin", method: "POST", headers: json, body: `{"password":"${planted.wrongPassword}` },
    { path: "/api/v1/user/", method: "POST", headers: json, body: JSON.stringify({ password: [planted.newPassword] }) },
    { path: `/oauth2/corp/callback?code=${planted.code}&state=${planted.query}` },
    { path: "/oauth2/corp/login", method: "POST" },
    { path: `/nowhere?token=${planted.query}` },
    { path: `/api/v1/repository/alice/app/tokens/${planted.code}` },
    { path: "/oauth/access_token", method: "POST", body: new URLSearchParams(token) },
  ];
}

/** The content of all files of a folder, except the key that encrypts secrets. */
export function filesOf(folder: string): string {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  const kept = paths.filter((path) => statSync(path).isFile() && !path.endsWith("registry-secret"));
  return kept.map((path) => readFileSync(path, "latin1")).join("\n");
}
