import { oidcProviderList } from "../oidc-settings.ts";
import { setting } from "../setting.ts";
import { address, count, flag, oneOf, secret, text } from "../setting-kind.ts";

/** Where the registry stores blobs. */
export const storageSettings = {
  storage: setting({
    kind: address,
    meaning: "Where blobs are stored: a folder, or `s3://BUCKET/PREFIX`.",
    otherwise: "`blobs` in `data`",
    example: "s3://images/registry",
  }),
  s3Endpoint: setting({
    kind: address,
    meaning: "The address of the S3-compatible store.",
    otherwise: "the address of Amazon for the region",
    example: "https://s3.example.com",
  }),
  s3Region: setting({
    kind: text,
    meaning: "The region of the bucket.",
    default: "us-east-1",
    example: "eu-central-1",
  }),
  s3Addressing: setting({
    kind: oneOf(["path", "virtual-host"]),
    meaning:
      "How requests name the bucket: in the `path` (`https://HOST/BUCKET/KEY`) or as a `virtual-host` (`https://BUCKET.HOST/KEY`).",
    default: "path",
    example: "virtual-host",
  }),
  s3AccessKeyId: setting({
    kind: text,
    meaning: "The id of the access key for the bucket.",
    otherwise:
      "from the environment: `AWS_ACCESS_KEY_ID`, or a role of a web identity (`AWS_ROLE_ARN`), of the container or of the machine",
    example: "AKIAEXAMPLE",
  }),
  s3SecretAccessKey: setting({
    kind: secret,
    meaning: "The secret of that key. Required with `s3AccessKeyId`.",
    otherwise: "none",
    example: "3kTMd1",
  }),
  s3SessionToken: setting({
    kind: secret,
    meaning: "The session token of that key, if the key is temporary.",
    otherwise: "none",
    example: "IQoJb3JpZ2luX2Vj",
  }),
  s3TimeoutSeconds: setting({
    kind: count,
    meaning: "How long a request to the store may take, with all attempts.",
    default: 15,
    example: 30,
  }),
  s3Redirect: setting({
    kind: flag,
    meaning: "Whether clients are redirected to the store to fetch blobs.",
    default: false,
    example: true,
  }),
} as const;

/** The mail server, the directory and the identity providers that the registry uses. */
export const signInSettings = {
  smtpUrl: setting({
    kind: secret,
    meaning:
      "The mail server: `smtp://USER:PASSWORD@HOST:PORT`, or `smtps:`. Without one, members are added to teams without an invitation, and e-mail addresses stay unconfirmed.",
    otherwise: "none: no mail is sent",
    example: "smtps://registry:3kTMd1@mail.example.com:465",
  }),
  mailFrom: setting({
    kind: text,
    meaning: "The sender of mail. Required with `smtpUrl`.",
    otherwise: "none",
    example: "registry@example.com",
  }),
  smtpPlain: setting({
    kind: flag,
    meaning: "Whether mail may be sent without TLS.",
    default: false,
    example: true,
  }),
  ldapUrl: setting({
    kind: address,
    meaning:
      "The directory that teams are synchronized with, and that users sign in from: `ldap://HOST:PORT`, or `ldaps:`.",
    otherwise: "none",
    example: "ldaps://directory.example.com",
  }),
  ldapBindDn: setting({
    kind: text,
    meaning: "The name for binding to the directory. Required with `ldapUrl`.",
    otherwise: "none",
    example: "cn=registry,dc=example,dc=com",
  }),
  ldapBindPassword: setting({
    kind: secret,
    meaning: "The password of `ldapBindDn`. Required with `ldapUrl`.",
    otherwise: "none",
    example: "3kTMd1",
  }),
  ldapNameAttribute: setting({
    kind: text,
    meaning: "The attribute of a member that is the user's name.",
    default: "uid",
    example: "sAMAccountName",
  }),
  ldapPlain: setting({
    kind: flag,
    meaning: "Whether the directory may be used without TLS.",
    default: false,
    example: true,
  }),
  ldapUserBase: setting({
    kind: text,
    meaning: "The entry that is above all users who may sign in. Without it the directory is used only for teams.",
    otherwise: "none",
    example: "ou=people,dc=example,dc=com",
  }),
  ldapUserFilter: setting({
    kind: text,
    meaning:
      "The filter that a user's entry must match to sign in. `{login}` stands for the login that the user types. The filter can exclude users.",
    otherwise: "the name attribute or `mail` is the login",
    example: "(&(uid={login})(memberOf=cn=registry,ou=groups,dc=example,dc=com))",
  }),
  ldapSuperuserFilter: setting({
    kind: text,
    meaning:
      "The filter that entries of superusers match. It is evaluated when a user signs in, and every quarter of an hour.",
    otherwise: "none: the directory defines no superusers",
    example: "(memberOf=cn=operators,ou=groups,dc=example,dc=com)",
  }),
  ldapRestrictedUserFilter: setting({
    kind: text,
    meaning:
      "The filter that entries of restricted users match: they cannot create organizations or robots, unless they are superusers.",
    otherwise: "none: the directory restricts no user",
    example: "(employeeType=guest)",
  }),
  ldapCa: setting({
    kind: text,
    meaning: "A file with CA certificates (PEM) for the directory's certificate.",
    otherwise: "none: the CAs that Node trusts",
    example: "/etc/plimsoll/directory-ca.pem",
  }),
  oidcProviders: setting({
    kind: oidcProviderList,
    meaning:
      "Services that users sign in with by OpenID Connect, each an object: see [sign in with OpenID Connect](../how-to/sign-in-with-oidc.md).",
    otherwise: "none",
    example: [
      {
        service: "corp",
        title: "Example Corp",
        issuer: "https://id.example.com",
        clientId: "registry",
        clientSecretFile: "/etc/plimsoll/oidc-secret",
      },
    ],
  }),
} as const;
