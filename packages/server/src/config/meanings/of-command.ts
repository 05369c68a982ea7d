import type { registrySettingKinds } from "../registry-settings.ts";
import type { serviceSettingKinds } from "../service-settings.ts";
import type { SettingName } from "../settings.ts";
import { type Meaning, none } from "./meaning.ts";

/** Descriptions of the settings of the command, including those that a service shares with it. */
export const commandMeanings: Readonly<
  Record<Exclude<SettingName, keyof typeof serviceSettingKinds | keyof typeof registrySettingKinds>, Meaning>
> = {
  db: ["The advisory database of the command: a file, or `postgres://…`.", "a file in the user's cache folder"],
  offline: ["Never use the network. A service with this setting never updates its feeds.", "false"],
  platform: [
    "Which image of a multi-platform image is read: `OS/ARCHITECTURE`, or `all`.",
    "the platform of this machine",
  ],
  output: ["How results are written: `FORMAT` or `FORMAT=FILE`.", "table"],
  failOn: ["Findings for which the command exits with 1, in the form of `--fail-on`.", none],
  show: ["Findings that are shown, in the form of `--show`.", "all"],
  strict: ["Incomplete results, and advisory data that are missing or old, fail the command.", "false"],
  allowIncomplete: [
    "`failOn` considers only what could be assessed, and does not fail because something could not be assessed.",
    "false",
  ],
  color: ["When output is coloured.", "auto"],
  vex: [
    "VEX documents (OpenVEX, CSAF 2.0, CycloneDX) whose statements suppress findings of `plimsoll scan`. These are listed as `suppressed`, with the reason.",
    none,
  ],
  attachedVex: [
    "Also apply VEX documents that are attached to an image in its registry, to `plimsoll scan` and `plimsoll explain`. Everyone who may push to the repository can attach them, and signatures are not checked.",
    "false",
  ],
  kernelFindings: [
    "Findings in kernel packages (`linux-libc-dev`, `kernel-headers`, `linux-image-…`) are not suppressed in `plimsoll scan`, `plimsoll explain` and the registry. Without this setting they are listed as `suppressed`, because a container runs on the kernel of its host. Those of folders (`dir:`) are never suppressed.",
    "false",
  ],
  ignore: [
    "Rules that suppress findings. A rule has `id` and `reason`, and optionally `package` (a package URL; version and qualifiers may be left out), `image` (digest or name), `author` and `expires` (the last day). Rules that have expired, or match no finding, are listed on standard error.",
    none,
  ],
  maxDbAgeDays: ["If advisory data are older than this, the command reports it, and a gate and `strict` fail.", "7"],
  javaIndex: [
    "The file of the index of published Java archives, by which archives are identified that do not describe themselves: see `plimsoll db java-index build`, and the feed `java-index` of `plimsoll db update`. A service uses the index that is there when it starts; with another index it reads images again.",
    "for the command: the file beside the database, `DB.java-index`, if it exists; for a service: none",
  ],
  feeds: [
    "Where feeds are fetched from, by the feed's name: an address or a file.",
    "the address that each feed declares",
  ],
  mirrors: ["Mirrors that are tried first, by the host of the registry that they mirror.", none],
  insecureRegistries: ["Registries that may be used without TLS, or with any certificate.", "only this machine"],
  httpProxy: [
    "The proxy for http addresses of layers, feeds, webhooks, S3 and hosts that clients name.",
    "`HTTP_PROXY`",
  ],
  httpsProxy: ["The proxy for https addresses.", "`HTTPS_PROXY`, then `httpProxy`"],
  noProxy: [
    "Hosts that are reached without a proxy: `host`, `.domain`, `host:port`, separated by commas.",
    "`NO_PROXY`",
  ],
};
