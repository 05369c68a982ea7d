/** Organizations that cache another registry. */
export const proxyCaches = {
  title: "Proxy cache",
  about:
    "An organization can cache another registry. An image that is pulled from the organization and is missing here is fetched from the other registry and kept.",
  isCache: (upstream: string) => `The organization is a cache of ${upstream}.`,
  pull: "Pull through it",
  upstream: "Registry",
  upstreamRule: "Such as docker.io, or registry.example.com/team for one namespace of it.",
  username: "User name there (optional)",
  password: "Password there (optional)",
  expiration: "Keep images after their last pull, in hours (0: always)",
  insecure: "Connect without TLS",
  create: "Make it a cache",
  check: "Check registry",
  valid: {
    Valid: "The registry answers and accepts the credentials.",
    Anonymous: "The registry answers. Some of its repositories require a user name.",
  },
  kept: (hours: number) => `Images that are not pulled for ${hours} hours are removed.`,
  keptAlways: "Fetched images are kept.",
  remove: "End proxy cache",
  removed: "Nothing more will be fetched. Fetched images stay.",
} as const;
