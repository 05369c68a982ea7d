import type { registrySettingKinds } from "../registry-settings.ts";
import { type Meaning, none } from "./meaning.ts";

/** Descriptions of the settings of a registry. */
export const registryMeanings: Readonly<Record<keyof typeof registrySettingKinds, Meaning>> = {
  registryHost: [
    "The host in the addresses that the registry sends, with the port where it is not the scheme's own.",
    "the host of the request; in mail and webhooks, where the process listens",
  ],
  registryHosts: [
    "Other hosts that clients use. An answer to a request for one of them names that one; any other request is answered with `registryHost`.",
    none,
  ],
  registryTitle: ["The title of the registry on its pages.", '"Plimsoll"'],
  registryContact: ["The e-mail address of the registry's operator.", none],
  registryCompatibility: [
    "`contract` answers as the management API is documented; `reference` answers as the known implementation does, if its clients need that.",
    '"contract"',
  ],
  behindTls: ["Whether clients use HTTPS, which a proxy in front of this process serves.", "false"],
  superusers: [
    "The names of users who may administer everything. As long as it is empty, the account that was created on the page of the empty registry, or by `initializeRegistry`, is the only superuser.",
  ],
  globalReadonlySuperusers: ["The names of users who may read everything and change nothing."],
  features: [
    "Which parts of the registry are on or off. `builds` is on if [buildah](../how-to/build-images.md) can be run and `userCreation` is off.",
  ],
  registryReadOnly: [
    "The registry can be read, and users can sign in. Every other change is rejected (503 of the management API, 405 `DENIED` of `/v2`), and no background work runs.",
    "false",
  ],
  allowedRobots: ["Robots (`NAMESPACE+NAME`) that exist although the feature `robots` is off."],
  browserCallsXhrOnly: ["Whether requests of browsers must have the header `X-Requested-With`."],
  logSignIns: ["Whether the usage log records sign-ins and sign-outs."],
  logFailedSignIns: ["Whether the usage log records failed sign-ins."],
  logRetentionDays: [
    "After how many days entries of the usage log are moved to the blob store, in compressed files; `plimsoll admin archived-logs` prints them.",
    "none: entries stay in the database",
  ],
  createPrivateRepositoryOnPush: ["Whether a repository that a push creates is private."],
  sessionSeconds: ["How long a sign-in of a browser lasts."],
  freshLoginSeconds: ["How long after a sign-in sensitive operations do not ask for the password again."],
  accountsPerAddressPerHour: [
    "How many accounts can be created from one address (an IPv4 address, or a /64 of IPv6) in an hour, at each node. Each wider network (/24 and /16, or /56, /48 and /32) can create four times as many as the one within.",
  ],
  appTokenSeconds: ["How long an app token is valid.", "no limit"],
  defaultTagExpirationSeconds: ["How long deleted tags of new namespaces can be restored."],
  maxBlobBytes: ["The largest blob that is accepted."],
  maxManifestBytes: ["The largest manifest that is accepted."],
  maxManifestLayers: [
    "The most layers of an image manifest, and the most manifests of an image index. More are rejected with `MANIFEST_INVALID`.",
  ],
  sparseIndexes: [
    "Whether an image index can be pushed although the repository lacks some of its manifests (`true`). Without it, such a push is rejected with `MANIFEST_BLOB_UNKNOWN`. A manifest that is pushed later belongs to the index while the setting is on.",
  ],
  scanPatienceSeconds: [
    "How long the push of a manifest waits for the scan of its image. A later scan is done in the background. A proxy in front of the registry must wait as long.",
  ],
  defaultQuotaBytes: [
    "The quota of namespaces that have no quota of their own. Each blob counts once for a namespace. Manifests and labels count above 1 MiB.",
    "no limit",
  ],
  keptLimits: [
    "How many things of a kind a namespace, a repository, a team or a user may keep: [the list](../concepts/what-a-namespace-may-keep.md). Names that are left out have their defaults.",
    "see the list",
  ],
  buildLimits: [
    "What [a build](../how-to/build-images.md#limits) may use: `memoryBytes`, `processes` (including threads), `diskBytes` and `files`. A build that uses more is ended, and its log names the limit.",
    "`memoryBytes` half of the machine's memory, at most 4 GiB; `processes` 2048; `diskBytes` 20 GiB; `files` 2,000,000",
  ],
  buildNetwork: [
    "The network of the commands in a Dockerfile: `none`, or `host` for that of the machine, which includes services that listen on loopback addresses only. Base images and the result are fetched and pushed with both.",
    '"none"',
  ],
  mirrorSignatureKeys: [
    "Files with a public key (PEM) each. A mirror copies an image only if one of the keys has signed it with [cosign](../how-to/mirror-registries.md#signed-images), or if the mirror's `unsigned_images` is true.",
    "none: mirrors copy any image",
  ],
  allowedInternalHosts: [
    "Internal hosts and networks that mirrors, proxy caches, webhooks and builds may connect to. The name of a host permits connections to this name, not to the hosts that it redirects to.",
  ],
  secretKey: [
    "At least 32 bytes in base64, the same on every node. It encrypts stored secrets and signs tokens.",
    "created at the first start, in `registry-secret` of `data`",
  ],
  storage: ["Where blobs are stored: a folder, or `s3://BUCKET/PREFIX`.", "`blobs` in `data`"],
  s3Endpoint: ["The address of the S3-compatible store.", "the address of Amazon for the region"],
  s3Region: ["The region of the bucket.", '"us-east-1"'],
  s3Addressing: [
    "How requests name the bucket: in the `path` (`https://HOST/BUCKET/KEY`) or as a `virtual-host` (`https://BUCKET.HOST/KEY`).",
    '"path"',
  ],
  s3AccessKeyId: [
    "The id of the access key for the bucket.",
    "from the environment: `AWS_ACCESS_KEY_ID`, or a role of a web identity (`AWS_ROLE_ARN`), of the container or of the machine",
  ],
  s3SecretAccessKey: ["The secret of that key. Required with `s3AccessKeyId`.", none],
  s3SessionToken: ["The session token of that key, if the key is temporary.", none],
  s3TimeoutSeconds: ["How long a request to the store may take, with all attempts.", "15"],
  s3Redirect: ["Whether clients are redirected to the store to fetch blobs.", "false"],
  smtpUrl: [
    "The mail server: `smtp://USER:PASSWORD@HOST:PORT`, or `smtps:`. Without one, members are added to teams without an invitation, and e-mail addresses stay unconfirmed.",
    "none: no mail is sent",
  ],
  mailFrom: ["The sender of mail. Required with `smtpUrl`.", none],
  smtpPlain: ["Whether mail may be sent without TLS.", "false"],
  ldapUrl: [
    "The directory that teams are synchronized with, and that users sign in from: `ldap://HOST:PORT`, or `ldaps:`.",
    none,
  ],
  ldapBindDn: ["The name for binding to the directory. Required with `ldapUrl`.", none],
  ldapBindPassword: ["The password of `ldapBindDn`. Required with `ldapUrl`.", none],
  ldapNameAttribute: ["The attribute of a member that is the user's name.", '"uid"'],
  ldapPlain: ["Whether the directory may be used without TLS.", "false"],
  ldapUserBase: [
    "The entry that is above all users who may sign in. Without it the directory is used only for teams.",
    none,
  ],
  ldapUserFilter: [
    "The filter that a user's entry must match to sign in. `{login}` stands for the login that the user types. The filter can exclude users.",
    "the name attribute or `mail` is the login",
  ],
  ldapSuperuserFilter: [
    "The filter that entries of superusers match. It is evaluated when a user signs in, and every quarter of an hour.",
    "none: the directory defines no superusers",
  ],
  ldapRestrictedUserFilter: [
    "The filter that entries of restricted users match: they cannot create organizations or robots, unless they are superusers.",
    "none: the directory restricts no user",
  ],
  ldapCa: ["A file with CA certificates (PEM) for the directory's certificate.", "none: the CAs that Node trusts"],
  oidcProviders: [
    "Services that users sign in with by OpenID Connect, each an object: see [sign in with OpenID Connect](../how-to/sign-in-with-oidc.md).",
    none,
  ],
};
