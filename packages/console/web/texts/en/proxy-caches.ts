/** An organization that is a cache of another registry. */
export const proxyCaches = {
  title: "Proxy cache",
  about:
    "An organization can be a cache of another registry: what is pulled from it and not here is fetched from there, and kept.",
  isCache: (upstream: string) => `The organization is a cache of ${upstream}.`,
  pull: "Pull through it",
  upstream: "Registry",
  upstreamRule: "Such as docker.io, or registry.example.com/team for one namespace of it.",
  username: "User name there (optional)",
  password: "Password there (optional)",
  expiration: "Keep what is not pulled for, in hours (0: always)",
  insecure: "Speak to it without TLS",
  create: "Make it a cache",
  check: "Check registry",
  valid: {
    Valid: "The registry answers and takes what was typed.",
    Anonymous: "The registry answers. It wants a user name for some of what it has.",
  },
  kept: (hours: number) => `What is not pulled for ${hours} hours is removed.`,
  keptAlways: "What was fetched is kept.",
  remove: "End proxy cache",
  removed: "Nothing more will be fetched. What was fetched stays.",
} as const;
