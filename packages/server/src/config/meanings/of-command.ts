import type { registrySettingKinds } from "../registry-settings.ts";
import type { serviceSettingKinds } from "../service-settings.ts";
import type { SettingName } from "../settings.ts";
import { type Meaning, none } from "./meaning.ts";

/** What the settings of the command mean, and those that a service shares with it. */
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
  failOn: ["Findings that end the command with exit code 1, in the words of `--fail-on`.", none],
  show: ["Findings that are shown, in the words of `--show`.", "all"],
  strict: ["Incomplete results, and advisory data that are missing or old, fail the command.", "false"],
  allowIncomplete: [
    "`failOn` considers only what could be assessed, and does not fail because something could not be assessed.",
    "false",
  ],
  color: ["When output is coloured.", "auto"],
  vex: [
    "VEX documents (OpenVEX, CSAF 2.0, CycloneDX) whose statements take findings out of `plimsoll scan`; those are listed as `suppressed`, with the reason.",
    none,
  ],
  attachedVex: [
    "Also apply VEX documents that are attached to an image in its registry, to `plimsoll scan` and `plimsoll explain`. Everyone who may push to the repository can attach them, and signatures are not checked.",
    "false",
  ],
  kernelFindings: [
    "Findings in packages of the kernel (`linux-libc-dev`, `kernel-headers`, `linux-image-…`) stay findings of `plimsoll scan` and `plimsoll explain`, and of a registry of this server. Without it they are listed as `suppressed`: a container runs on the kernel of its host. Of folders (`dir:`) they always stay.",
    "false",
  ],
  ignore: [
    "Findings that are known and left alone: a list of rules with `id`, `reason`, and perhaps `package` (a package URL, of which version and qualifiers may be left out), `image` (digest or name), `author` and `expires` (the last day). Rules that are over, or about no finding, are named on standard error.",
    none,
  ],
  maxDbAgeDays: ["Advisory data that are older are reported, fail a gate, and are rejected under `strict`.", "7"],
  feeds: [
    "Where feeds are fetched from, by the feed's name: an address or a file.",
    "the address that each feed declares",
  ],
  mirrors: ["Registries that are asked first, by the host of the registry that they mirror.", none],
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
