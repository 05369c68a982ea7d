import { type AccountRow, findAccount, findImageRepository } from "@plimsoll/registry/access/queries";
import { hashSecret } from "@plimsoll/registry/crypto/secrets";
import { invalidRequest, notFound } from "@plimsoll/registry/errors";
import { endSession } from "@plimsoll/registry/identity/sign-in/queries/token-holders";
import { createSession } from "@plimsoll/registry/identity/sign-in/sessions";
import type { UpstreamRepository } from "@plimsoll/registry/ports/upstreams";
import { imageIntake } from "@plimsoll/registry/push/image-intake";
import { completeSettings } from "@plimsoll/registry/settings";
import { type CopiedTags, copyTags } from "@plimsoll/registry/sources/mirrors/copy-tags";
import { listNeighbours } from "@plimsoll/registry/sources/mirrors/queries";
import { systemTime } from "@plimsoll/store";
import fastify, { type FastifyInstance } from "fastify";
import { sessionCookie } from "./http/browser-calls.ts";
import { pageAddresses } from "./page-addresses.ts";
import { createRegistry, type RegistryOptions } from "./registry.ts";

/** A response of the management API. */
export interface OperatedAnswer {
  readonly status: number;
  /** The JSON of the body; undefined where it has none. */
  readonly body: unknown;
}

/** Tags to copy from a repository of another registry. */
export interface ImportedTags {
  readonly namespace: string;
  readonly repository: string;
  readonly upstream: UpstreamRepository;
  /** All tags of the other repository. Tags of signatures and other attached artifacts are copied with their images. */
  readonly offered: ReadonlySet<string>;
  readonly names: readonly string[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Called for each copied tag, and for each tag that could not be copied, with the reason. */
  onTag(tag: string, failure: string | undefined): Promise<void>;
}

/** A registry opened by its operator, beside the processes that serve it. */
export interface OperatedRegistry extends AsyncDisposable {
  /** Calls the management API without a network. @param path what follows `/api/v1` */
  call(method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: unknown): Promise<OperatedAnswer>;
  /**
   * Copies tags with everything that belongs to their images. Content that is already here is not fetched. No notification is
   * emitted.
   * @throws RegistryError `not_found` where there is no such repository
   */
  importTags(tags: ImportedTags): Promise<CopiedTags>;
}

/** The lifetime of the operator's session. It matters only if the process is killed before it ends the session. */
const sessionSeconds = 7 * 86_400;

/**
 * Opens a registry for its operator, who acts as a user with every permission: the usage log names that user. Disposing ends the
 * session.
 * @throws RegistryError `invalid_request` if the user does not exist or is disabled
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
  if (user?.enabled !== 1) throw invalidRequest(`There is no enabled user ${JSON.stringify(username)}`);
  const settings = completeSettings(options.settings);
  const app = fastify() as unknown as FastifyInstance;
  createRegistry({ ...options, settings: settingsOfOperator(settings, user) }).register(app);
  const session = await createSession(store.db, { account: user, now: clock.now(), lifetimeSeconds: sessionSeconds });
  const headers = { cookie: `${sessionCookie}=${session.cookie}`, "x-csrf-token": session.csrfToken };
  const silent = { ...settings, features: { ...settings.features, repositoryNotifications: false } };
  const intake = imageIntake({ store, blobs, settings: silent, clock, pageAddress: pageAddresses(settings) });
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
      return copyTags({ store, clock, intake }, { ...copying, repository, blobsFrom, signedBy: [] }, names);
    },
    async [Symbol.asyncDispose]() {
      await endSession(store.db, hashSecret(session.cookie));
      await app.close();
    },
  };
}

/** Settings under which the user may do everything. Team members need no invitation, and the password is not requested again. */
function settingsOfOperator(settings: ReturnType<typeof completeSettings>, { username }: AccountRow): typeof settings {
  const features = { ...settings.features, superusers: true, superuserFullAccess: true, requireTeamInvite: false };
  return {
    ...settings,
    features,
    superusers: [...settings.superusers, username],
    globalReadonlySuperusers: settings.globalReadonlySuperusers.filter((each) => each !== username),
    freshLoginSeconds: sessionSeconds,
  };
}
