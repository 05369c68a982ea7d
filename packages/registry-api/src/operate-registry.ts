import { systemTime } from "@plimsoll/store";
import fastify, { type FastifyInstance } from "fastify";
import { type AccountRow, findAccount } from "./access/queries/accounts.ts";
import { findImageRepository } from "./access/queries/image-repositories.ts";
import { hashSecret } from "./crypto/secrets.ts";
import { invalidRequest, notFound } from "./errors.ts";
import { sessionCookie } from "./http/cookies.ts";
import { imageIntake } from "./intake/image-intake.ts";
import { type CopiedTags, copyTags } from "./mirrors/copy-tags.ts";
import { listNeighbours } from "./mirrors/queries.ts";
import type { UpstreamRepository } from "./ports/upstreams.ts";
import { createRegistry, type RegistryOptions } from "./registry.ts";
import { completeSettings } from "./settings.ts";
import { endSession } from "./sign-in/queries/sessions.ts";
import { createSession } from "./sign-in/sessions.ts";

/** A response of the management API. */
export interface OperatedAnswer {
  readonly status: number;
  /** The JSON of the body; undefined where it has none. */
  readonly body: unknown;
}

/** Tags of a repository of another registry that are to be had here. */
export interface ImportedTags {
  readonly namespace: string;
  readonly repository: string;
  readonly upstream: UpstreamRepository;
  /** All tags of the other registry: those of signatures and the like come with their images. */
  readonly offered: ReadonlySet<string>;
  readonly names: readonly string[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Told of each tag that came, and of each that could not be taken with the reason. */
  onTag(tag: string, failure: string | undefined): Promise<void>;
}

/** A registry as its operator works with it, beside the processes that serve it. */
export interface OperatedRegistry extends AsyncDisposable {
  /** Calls the management API without a network. @param path what follows `/api/v1` */
  call(method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: unknown): Promise<OperatedAnswer>;
  /**
   * Brings tags in with all that belongs to their images. What is the same here and there is not fetched. No notification tells of it.
   * @throws RegistryError `not_found` where there is no such repository
   */
  importTags(tags: ImportedTags): Promise<CopiedTags>;
}

/** How long a session that was not ended, since its process was killed, stays. */
const sessionSeconds = 7 * 86_400;

/**
 * Opens a registry for its operator, who acts as a user with every right: the usage log names that user. Disposing ends that.
 * @throws RegistryError `invalid_request` where there is no such user, or the user is disabled
 * @example
 * declare const store: RegistryStore;
 * const parts = { store, blobs: createFileBlobStore("blobs"), key: await readSecretKey("registry.key") };
 * await using operated = await operateRegistry(parts, "ada");
 * const { status } = await operated.call("POST", "/organization/", { name: "acme", email: "acme@example.com" });
 */
export async function operateRegistry(options: RegistryOptions, username: string): Promise<OperatedRegistry> {
  const { store, blobs, ports } = options;
  const clock = ports?.clock ?? systemTime.clock;
  const user = await findAccount(store.db, username, "user");
  if (user?.enabled !== 1) throw invalidRequest(`There is no user ${JSON.stringify(username)} who may act`);
  const settings = completeSettings(options.settings);
  const app = fastify() as unknown as FastifyInstance;
  createRegistry({ ...options, settings: ofOperator(settings, user) }).register(app);
  const session = await createSession(store.db, { account: user, now: clock.now(), lifetimeSeconds: sessionSeconds });
  const headers = { cookie: `${sessionCookie}=${session.cookie}`, "x-csrf-token": session.csrfToken };
  const silent = { ...settings, features: { ...settings.features, repositoryNotifications: false } };
  const intake = imageIntake({ store, blobs, settings: silent, ports: { clock } });
  return {
    async call(method, path, body) {
      const sent = body === undefined ? {} : { payload: JSON.stringify(body) };
      const type = body === undefined ? {} : { "content-type": "application/json" };
      const { statusCode, payload } = await app.inject({
        ...{ method, url: `/api/v1${path}`, headers: { ...headers, ...type } },
        ...sent,
      });
      return { status: statusCode, body: payload === "" ? undefined : JSON.parse(payload) };
    },
    async importTags({ namespace, repository: name, names, ...copying }) {
      const repository = await findImageRepository(store.db, namespace, name);
      if (repository === undefined) throw notFound(`There is no repository ${namespace}/${name}: make it first`);
      const blobsFrom = await listNeighbours(store.db, repository);
      return copyTags({ store, clock, intake }, { ...copying, repository, blobsFrom }, names);
    },
    async [Symbol.asyncDispose]() {
      await endSession(store.db, hashSecret(session.cookie));
      await app.close();
    },
  };
}

/** The settings by which the user may do everything: no invitation is waited for, and no password asked again. */
function ofOperator(settings: ReturnType<typeof completeSettings>, { username }: AccountRow): typeof settings {
  const features = { ...settings.features, superusers: true, superuserFullAccess: true, requireTeamInvite: false };
  return {
    ...settings,
    features,
    superusers: [...settings.superusers, username],
    globalReadonlySuperusers: settings.globalReadonlySuperusers.filter((each) => each !== username),
    freshLoginSeconds: sessionSeconds,
  };
}
