import { scanFormats } from "../../cli/output-format.ts";
import { ignoreRules } from "../ignore-rules.ts";
import { setting } from "../setting.ts";
import { address, colour, days, flag, names, proxyAddress, text, textLists, textMap, texts } from "../setting-kind.ts";

/** What the commands read and print. */
export const commandSettings = {
  db: setting({
    kind: address,
    meaning: "The advisory database of the command: a file, or `postgres://…`.",
    otherwise: "a file in the user's cache folder",
    example: "/var/lib/plimsoll/advisories.db",
  }),
  offline: setting({
    kind: flag,
    meaning: "Never use the network. A service with this setting never updates its feeds.",
    default: false,
    example: true,
    into: ["command"],
  }),
  platform: setting({
    kind: text,
    meaning: "Which image of a multi-platform image is read: `OS/ARCHITECTURE`, or `all`.",
    otherwise: "the platform of this machine",
    example: "linux/arm64",
  }),
  output: setting({
    kind: texts,
    meaning: "How results are written: `FORMAT` or `FORMAT=FILE`.",
    default: [],
    otherwise: scanFormats[0],
    example: ["table", "json=report.json"],
    into: ["command"],
  }),
  failOn: setting({
    kind: text,
    meaning: "Findings for which the command exits with 1, in the form of `--fail-on`.",
    otherwise: "none",
    example: "high+,fixable",
  }),
  show: setting({
    kind: text,
    meaning: "Findings that are shown, in the form of `--show`.",
    otherwise: "all",
    example: "medium+",
  }),
  strict: setting({
    kind: flag,
    meaning: "Incomplete results, and advisory data that are missing or old, fail the command.",
    default: false,
    example: true,
    into: ["command"],
  }),
  allowIncomplete: setting({
    kind: flag,
    meaning:
      "`failOn` considers only what could be assessed, and does not fail because something could not be assessed.",
    default: false,
    example: true,
    into: ["command"],
  }),
  vex: setting({
    kind: texts,
    meaning:
      "VEX documents (OpenVEX, CSAF 2.0, CycloneDX) whose statements suppress findings of `plimsoll scan`. These are listed as `suppressed`, with the reason.",
    default: [],
    example: ["app.openvex.json"],
    into: ["command"],
  }),
  attachedVex: setting({
    kind: flag,
    meaning:
      "Also apply VEX documents that are attached to an image in its registry, to `plimsoll scan` and `plimsoll explain`. Everyone who may push to the repository can attach them, and signatures are not checked.",
    default: false,
    example: true,
    into: ["command"],
  }),
  kernelFindings: setting({
    kind: flag,
    meaning:
      "Findings in kernel packages (`linux-libc-dev`, `kernel-headers`, `linux-image-…`) are not suppressed in `plimsoll scan`, `plimsoll explain` and the registry. Without this setting they are listed as `suppressed`, because a container runs on the kernel of its host. Those of folders (`dir:`) and of bills of materials of folders are never suppressed.",
    default: false,
    example: true,
    into: ["command", "service"],
  }),
  ignore: setting({
    kind: ignoreRules,
    meaning:
      "Rules that suppress findings. A rule has `id` and `reason`, and optionally `package` (a package URL; version and qualifiers may be left out), `image` (digest or name), `author` and `expires` (the last day). Rules that have expired, or match no finding, are listed on standard error.",
    default: [],
    example: [
      {
        id: "CVE-2024-45491",
        package: "pkg:deb/debian/libexpat1",
        reason: "XML comes from our own service only.",
        author: "security@example.com",
        expires: "2027-03-31",
      },
    ],
    into: ["command"],
  }),
  color: setting({
    kind: colour,
    meaning: "When output is coloured.",
    default: "auto",
    example: "never",
    into: ["command"],
  }),
  maxDbAgeDays: setting({
    kind: days,
    meaning: "If advisory data are older than this, the command reports it, and a gate and `strict` fail.",
    default: 7,
    example: 2,
    into: ["command"],
  }),
  javaIndex: setting({
    kind: text,
    meaning:
      "The file of the index of published Java archives, by which archives are identified that do not describe themselves: see `plimsoll db java-index build`, and the feed `java-index` of `plimsoll db update`. A service uses the index that is there when it starts; with another index it reads images again.",
    otherwise: "for the command: the file beside the database, `DB.java-index`, if it exists; for a service: none",
    example: "/var/lib/plimsoll/java-index.db",
    into: ["service"],
  }),
} as const;

/** Where advisories and images are fetched from, and through which proxy. */
export const hostSettings = {
  feeds: setting({
    kind: { ...textMap, isAddress: true },
    meaning: "Where feeds are fetched from, by the feed's name: an address or a file.",
    default: {},
    otherwise: "the address that each feed declares",
    example: { debian: "/srv/feeds/debian.json" },
    into: ["command", "service"],
  }),
  mirrors: setting({
    kind: { ...textLists, isAddress: true },
    meaning: "Mirrors that are tried first, by the host of the registry that they mirror.",
    default: {},
    otherwise: "none",
    example: { "docker.io": ["mirror.example.com"] },
    into: ["command"],
  }),
  insecureRegistries: setting({
    kind: { ...names, isAddress: true },
    meaning: "Registries that may be used without TLS, or with any certificate.",
    default: [],
    otherwise: "only this machine",
    example: ["registry.example.com:5000"],
    into: ["command"],
  }),
  httpProxy: setting({
    kind: proxyAddress,
    meaning: "The proxy for http addresses of layers, feeds, webhooks, S3 and hosts that clients name.",
    otherwise: "`HTTP_PROXY`",
    example: "http://proxy.example.com:3128",
  }),
  httpsProxy: setting({
    kind: proxyAddress,
    meaning: "The proxy for https addresses.",
    otherwise: "`HTTPS_PROXY`, then `httpProxy`",
    example: "http://proxy.example.com:3128",
  }),
  noProxy: setting({
    kind: text,
    meaning: "Hosts that are reached without a proxy: `host`, `.domain`, `host:port`, separated by commas.",
    otherwise: "`NO_PROXY`",
    example: "localhost,.example.com",
  }),
} as const;
