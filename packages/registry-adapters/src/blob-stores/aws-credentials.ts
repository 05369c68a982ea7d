import { readFile } from "node:fs/promises";
import { openOutbound, readBody } from "@plimsoll/outbound";
import { BlobStoreError } from "@plimsoll/registry/ports/blob-store";
import { tryReadXml } from "./s3-xml.ts";

/** Variables of the environment, by their names at AWS. */
export type AwsEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * The credentials that the process finds in its environment, in the order of AWS's own programs: keys in variables, a role for a
 * token in a file (Kubernetes), a role of the container (ECS, EKS), a role of the machine (EC2, instance metadata version 2).
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html
 * @throws BlobStoreError `unavailable` where none of them exists
 * @example
 * const credentials = rememberCredentials(awsCredentials(process.env, "eu-central-1"), Date.now);
 */
export function awsCredentials(environment: AwsEnvironment, region: string): S3CredentialSource {
  return async () => {
    await using hosts = openOutbound({ policy: "trusted", connectMs: 2_000, idleMs: 1_000 });
    const ask = (url: string, init: AwsRequest = {}) => askHost(hosts, url, init);
    const found =
      fromVariables(environment) ??
      (await fromWebIdentity(environment, region, ask)) ??
      (await fromContainer(environment, ask)) ??
      (await fromMachine(environment, ask));
    if (found !== undefined) return found;
    throw noCredentials("neither the settings, the environment, the container nor the machine has any");
  };
}

interface AwsRequest {
  readonly method?: "GET" | "POST" | "PUT";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

type Ask = (url: string, asked?: AwsRequest) => Promise<string>;

function fromVariables(environment: AwsEnvironment): S3Credentials | undefined {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = environment;
  if (!accessKeyId || !secretAccessKey) return undefined;
  const { AWS_SESSION_TOKEN: sessionToken } = environment;
  return { accessKeyId, secretAccessKey, sessionToken: sessionToken || undefined };
}

/** @see https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html */
async function fromWebIdentity(environment: AwsEnvironment, region: string, ask: Ask) {
  const { AWS_ROLE_ARN: role, AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ROLE_SESSION_NAME: session } = environment;
  if (!role || !file) return undefined;
  const token = (await readFile(file, "utf8")).trim();
  const endpoint = environment.AWS_ENDPOINT_URL_STS || `https://sts.${region}.amazonaws.com`;
  const body = new URLSearchParams({
    Action: "AssumeRoleWithWebIdentity",
    Version: "2011-06-15",
    RoleArn: role,
    RoleSessionName: session || "plimsoll",
    WebIdentityToken: token,
  }).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const text = await ask(`${endpoint}/`, { method: "POST", headers, body });
  const [parsed] = (await tryReadXml(text))?.all("AssumeRoleWithWebIdentityResult")[0]?.all("Credentials") ?? [];
  const [accessKeyId, secretAccessKey] = [parsed?.text("AccessKeyId"), parsed?.text("SecretAccessKey")];
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw noCredentials(`${endpoint} gave none for ${role}`);
  const sessionToken = parsed?.text("SessionToken") ?? "";
  return { accessKeyId, secretAccessKey, sessionToken, ...expiryOf(parsed?.text("Expiration")) };
}

/** @see https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html */
async function fromContainer(environment: AwsEnvironment, ask: Ask): Promise<S3Credentials | undefined> {
  const { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: path, AWS_CONTAINER_CREDENTIALS_FULL_URI: address } = environment;
  if (!path && !address) return undefined;
  const { AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file, AWS_CONTAINER_AUTHORIZATION_TOKEN: token } = environment;
  const authorization = file ? (await readFile(file, "utf8")).trim() : token;
  const url = path ? `http://169.254.170.2${path}` : (address ?? "");
  return readJson(url, await ask(url, { headers: authorization ? { authorization } : {} }));
}

/** @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html */
async function fromMachine(environment: AwsEnvironment, ask: Ask): Promise<S3Credentials | undefined> {
  if (environment.AWS_EC2_METADATA_DISABLED === "true") return undefined;
  const endpoint = environment.AWS_EC2_METADATA_SERVICE_ENDPOINT || "http://169.254.169.254";
  const lifetime = { "x-aws-ec2-metadata-token-ttl-seconds": "60" };
  const token = await ask(`${endpoint}/latest/api/token`, { method: "PUT", headers: lifetime }).catch(() => undefined);
  if (token === undefined) return undefined; // not a machine of AWS
  const headers = { "x-aws-ec2-metadata-token": token };
  const roles = `${endpoint}/latest/meta-data/iam/security-credentials/`;
  const [role = ""] = (await ask(roles, { headers })).split("\n");
  return readJson(roles, await ask(roles + encodeURIComponent(role.trim()), { headers }));
}

function readJson(url: string, text: string): S3Credentials {
  let parsed: Readonly<Record<string, unknown>>;
  try {
    parsed = JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw noCredentials(`${url} answered something that is not JSON`, cause);
  }
  const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, Token: sessionToken, Expiration } = parsed;
  if (typeof accessKeyId !== "string" || typeof secretAccessKey !== "string") throw noCredentials(`${url} gave none`);
  return {
    accessKeyId,
    secretAccessKey,
    sessionToken: typeof sessionToken === "string" ? sessionToken : undefined,
    ...expiryOf(Expiration),
  };
}

function expiryOf(expiration: unknown): { readonly expiresAt?: number } {
  const expiresAt = typeof expiration === "string" ? Date.parse(expiration) : Number.NaN;
  return Number.isNaN(expiresAt) ? {} : { expiresAt };
}

/** The most bytes of an answer. Real answers are shorter. */
const maxAnswerBytes = 64 * 1024;
const patienceMs = 5_000;

async function askHost(hosts: ReturnType<typeof openOutbound>, url: string, asked: AwsRequest): Promise<string> {
  try {
    const { status, body } = await hosts.send({ url: new URL(url), ...asked, signal: AbortSignal.timeout(patienceMs) });
    const tooLarge = () => new Error("its answer is too long");
    const text = await readBody(body, { maxBytes: maxAnswerBytes, tooLarge });
    if (status === 200) return text.toString();
    throw new Error(`it answered ${status}`);
  } catch (cause) {
    throw noCredentials(`${url}: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
  }
}

function noCredentials(reason: string, cause?: unknown): BlobStoreError {
  return new BlobStoreError("unavailable", `no credentials for the blob store: ${reason}`, { cause });
}

/** The credentials that sign requests to a bucket. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Present in temporary credentials. */
  readonly sessionToken?: string;
  /** Epoch milliseconds; where absent, they do not expire. */
  readonly expiresAt?: number;
}

/** Finds credentials. @throws BlobStoreError `unavailable` */
export type S3CredentialSource = () => Promise<S3Credentials>;

/** How long before their expiry credentials are replaced. */
const earlyMs = 5 * 60_000;

/**
 * Caches credentials until five minutes before they expire. Concurrent requests for new ones share one call of `source`. If that
 * fails, the old ones are used until they expire.
 * @example
 * const source = rememberCredentials(async () => ({ accessKeyId: "key", secretAccessKey: "secret" }), Date.now);
 */
export function rememberCredentials(source: S3CredentialSource, now: () => number): S3CredentialSource {
  let current: S3Credentials | undefined;
  let pending: Promise<S3Credentials> | undefined;
  return async () => {
    if (current !== undefined && isGood(current, now() + earlyMs)) return current;
    pending ??= source().finally(() => {
      pending = undefined;
    });
    try {
      current = await pending;
    } catch (error) {
      if (current === undefined || !isGood(current, now())) throw error;
    }
    return current;
  };
}

function isGood({ expiresAt = Number.POSITIVE_INFINITY }: S3Credentials, at: number): boolean {
  return expiresAt > at;
}
