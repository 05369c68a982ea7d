// The members of a registry's responses that an import uses. Other members are ignored.
import { type Static, type TSchema, Type } from "typebox";
import type { Listing } from "./management-api.ts";

const OptionalText = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const OptionalNumber = Type.Optional(Type.Union([Type.Number(), Type.Null()]));
const nextPage = { next_page: OptionalText };

const Team = Type.Object({ description: OptionalText, role: Type.String(), is_synced: Type.Optional(Type.Boolean()) });

/** An organization, as its administrators see it. */
export const Organization = Type.Object({
  name: Type.String(),
  email: OptionalText,
  is_admin: Type.Boolean(),
  teams: Type.Optional(Type.Record(Type.String(), Team)),
  invoice_email: Type.Optional(Type.Boolean()),
  invoice_email_address: OptionalText,
  tag_expiration_s: OptionalNumber,
});

/** A repository. */
export const Repository = Type.Object({
  description: OptionalText,
  is_public: Type.Boolean(),
  kind: OptionalText,
  state: OptionalText,
});

/** The mirror configuration of a repository. */
export const Mirror = Type.Object({
  is_enabled: Type.Boolean(),
  external_reference: Type.String(),
  external_registry_username: OptionalText,
  external_registry_config: Type.Optional(Type.Object({}, { additionalProperties: true })),
  sync_interval: Type.Number(),
  sync_start_date: OptionalText,
  root_rule: Type.Object({ rule_kind: Type.String(), rule_value: Type.Array(Type.String()) }),
  robot_username: OptionalText,
  skopeo_timeout_interval: OptionalNumber,
});

const QuotaLimit = Type.Object({
  type: Type.String(),
  threshold_percent: OptionalNumber,
  limit_percent: OptionalNumber,
});

/** The quotas of an organization. */
export const Quotas = Type.Array(
  Type.Object({
    limit_bytes: Type.Number(),
    default_config: Type.Optional(Type.Boolean()),
    limits: Type.Optional(Type.Array(QuotaLimit)),
  }),
);

const Member = Type.Object({
  name: Type.Optional(Type.String()),
  email: OptionalText,
  kind: OptionalText,
  is_robot: Type.Optional(Type.Boolean()),
  invited: Type.Optional(Type.Boolean()),
});

const Delegate = Type.Object({ name: Type.String(), kind: OptionalText, is_robot: Type.Optional(Type.Boolean()) });

const Prototype = Type.Object({
  role: Type.String(),
  delegate: Delegate,
  activating_user: Type.Optional(Type.Union([Type.Object({ name: Type.String() }), Type.Null()])),
});

const Policy = Type.Object({
  method: Type.String(),
  value: Type.Union([Type.Number(), Type.String()]),
  tagPattern: OptionalText,
  tagPatternMatches: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
});

const Permission = Type.Object({ role: Type.String(), is_robot: Type.Optional(Type.Boolean()) });

const Tag = Type.Object({
  name: Type.String(),
  manifest_digest: Type.String(),
  end_ts: OptionalNumber,
  immutable: Type.Optional(Type.Boolean()),
});

const Label = Type.Object({
  key: Type.String(),
  value: Type.String(),
  media_type: OptionalText,
  source_type: OptionalText,
});

const Settings = Type.Object({}, { additionalProperties: true });

const Notification = Type.Object({
  event: Type.String(),
  method: Type.String(),
  title: OptionalText,
  config: Settings,
  event_config: Type.Optional(Settings),
  eventConfig: Type.Optional(Settings),
});

const Robot = Type.Object({
  name: Type.String(),
  description: OptionalText,
  unstructured_metadata: Type.Optional(Type.Union([Settings, Type.Null()])),
});

const Immutability = Type.Object({
  tagPattern: Type.String(),
  tagPatternMatches: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
});

const Suppression = Type.Object({
  vulnerability: OptionalText,
  package: OptionalText,
  image: OptionalText,
  reason: Type.String(),
  expires: Type.String(),
});

const IgnoreRule = Type.Object({
  ...Suppression.properties,
  vulnerability: Type.String(),
  has_expired: Type.Optional(Type.Boolean()),
});

const SigningKey = Type.Object({ name: Type.String(), public_key: Type.String() });

/** The pull gate: rules by which pulls are rejected, exceptions, and the keys that have signed VEX documents. */
export const Gate = Type.Object({
  rules: Settings,
  exceptions: Type.Array(Suppression),
  keys: Type.Optional(Type.Array(SigningKey)),
});

/** The issuers and subjects of tokens that a robot signs in with. */
export const Federations = Type.Array(Type.Object({ issuer: Type.String(), subject: Type.String() }));

/** The upstream registry of a proxy cache; empty if the organization is not one. */
export const ProxyCache = Type.Object({ upstream_registry: OptionalText });

const ListedRepository = Type.Object({ namespace: Type.String(), name: Type.String(), kind: OptionalText });

/** The lists that an import reads. */
export const lists = {
  repositories: listing(Type.Object({ repositories: Type.Array(ListedRepository), ...nextPage }), {
    items: (page) => page.repositories,
    keyOf: ({ namespace, name }) => `${namespace}/${name}`,
  }),
  robots: listing(Type.Object({ robots: Type.Array(Robot), ...nextPage }), {
    items: (page) => page.robots,
    keyOf: ({ name }) => name,
  }),
  members: listing(Type.Object({ members: Type.Array(Member), ...nextPage }), {
    items: (page) => page.members,
    keyOf: ({ name, email }) => JSON.stringify([name, email]),
  }),
  prototypes: listing(Type.Object({ prototypes: Type.Array(Prototype), ...nextPage }), {
    items: (page) => page.prototypes,
    keyOf: (each) => JSON.stringify(each),
  }),
  policies: listing(Type.Object({ policies: Type.Array(Policy), ...nextPage }), {
    items: (page) => page.policies,
    keyOf: (each) => JSON.stringify(each),
  }),
  immutability: listing(Type.Object({ policies: Type.Array(Immutability), ...nextPage }), {
    items: (page) => page.policies,
    keyOf: (each) => JSON.stringify(each),
  }),
  ignoreRules: listing(Type.Object({ rules: Type.Array(IgnoreRule), ...nextPage }), {
    items: (page) => page.rules,
    keyOf: (each) => JSON.stringify(each),
  }),
  permissions: listing(Type.Object({ permissions: Type.Record(Type.String(), Permission), ...nextPage }), {
    items: (page) => Object.entries(page.permissions).map(([name, permission]) => ({ name, ...permission })),
    keyOf: ({ name }) => name,
  }),
  labels: listing(Type.Object({ labels: Type.Array(Label), ...nextPage }), {
    items: (page) => page.labels,
    keyOf: ({ key, value }) => JSON.stringify([key, value]),
  }),
  notifications: listing(Type.Object({ notifications: Type.Array(Notification), ...nextPage }), {
    items: (page) => page.notifications,
    keyOf: (each) => JSON.stringify(each),
  }),
  applications: listing(Type.Object({ applications: Type.Array(Type.Object({ name: Type.String() })), ...nextPage }), {
    items: (page) => page.applications,
    keyOf: ({ name }) => name,
  }),
  tags: listing(Type.Object({ tags: Type.Array(Tag), has_additional: Type.Optional(Type.Boolean()) }), {
    items: (page) => page.tags,
    keyOf: ({ name }) => name,
    next: ({ has_additional }, number) => (has_additional ? `page=${number + 1}` : undefined),
  }),
} as const;

function listing<Schema extends TSchema, Item>(
  schema: Schema,
  {
    items,
    keyOf,
    next = (page) => byToken(page as object),
  }: {
    readonly items: (page: NoInfer<Static<Schema>>) => readonly Item[];
    readonly keyOf: (item: Item) => string;
    readonly next?: (page: NoInfer<Static<Schema>>, number: number) => string | undefined;
  },
): Listing<Item> {
  return { schema, items, keyOf, next } as Listing<Item>; // pages are checked by the schema
}

/** The query for the next page in lists with page tokens. */
function byToken(page: object): string | undefined {
  const { next_page } = page as { readonly next_page?: string | null };
  return next_page ? `next_page=${encodeURIComponent(next_page)}` : undefined;
}
