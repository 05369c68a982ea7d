import { ScanError } from "../errors.ts";
import { withoutUndefined } from "../without-undefined.ts";

/**
 * The operating system and architecture of an image. {@link parsePlatform} and {@link normalizePlatform} return the normalized form: Go's
 * names of operating systems and architectures, and no default variant (`v8` of arm64, `v1` of amd64). Only arm always has a variant.
 * @see https://github.com/opencontainers/image-spec/blob/v1.1.0/image-index.md#platform-variants
 */
export interface Platform {
  readonly os: string;
  readonly architecture: string;
  readonly variant?: string;
  /** The version of the operating system, for example `10.0.17763.5329`; only Windows images have one. */
  readonly osVersion?: string;
}

const osAliases: ReadonlyMap<string, string> = new Map([["macos", "darwin"]]);

/** Other names of an architecture, with the variant they imply. */
const architectureAliases: ReadonlyMap<string, readonly [architecture: string, variant?: string]> = new Map([
  ["x86_64", ["amd64"]],
  ["x86-64", ["amd64"]],
  ["i386", ["386"]],
  ["i686", ["386"]],
  ["aarch64", ["arm64"]],
  ["armhf", ["arm", "v7"]],
  ["armel", ["arm", "v6"]],
]);

/** The variant of an architecture without one. */
const defaultVariants: ReadonlyMap<string, string> = new Map([
  ["amd64", "v1"],
  ["arm", "v7"],
  ["arm64", "v8"],
]);

/** Architectures that are accepted without an operating system, which is then Linux. */
const architectures: ReadonlySet<string> = new Set(
  "386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x wasm".split(" "),
);

/**
 * Parses `os/architecture[/variant]` or a bare architecture, which means Linux.
 * @throws ScanError `no_such_platform` when the text is not a platform
 * @example
 * parsePlatform("arm64"); // { os: "linux", architecture: "arm64" }
 */
export function parsePlatform(text: string): Platform {
  const parts = text.trim().split("/");
  if (parts.length > 3 || parts.some((part) => !/^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(part))) throw notPlatform(text);
  const [first = "", second, variant] = parts;
  if (second !== undefined) return normalizePlatform({ os: first, architecture: second, variant });
  const platform = normalizePlatform({ os: "linux", architecture: first });
  if (!architectures.has(platform.architecture)) throw notPlatform(text);
  return platform;
}

/**
 * Formats a platform as `os/architecture[/variant]`, normalized.
 * @example
 * formatPlatform({ os: "linux", architecture: "arm", variant: "v7" }); // "linux/arm/v7"
 */
export function formatPlatform(platform: Platform): string {
  const { os, architecture, variant } = normalizePlatform(platform);
  return variant === undefined ? `${os}/${architecture}` : `${os}/${architecture}/${variant}`;
}

/**
 * The normalized form of a platform.
 * @example
 * normalizePlatform({ os: "linux", architecture: "x86_64" }); // { os: "linux", architecture: "amd64" }
 */
export function normalizePlatform(platform: Platform): Platform {
  const os = platform.os.toLowerCase();
  const named = platform.architecture.toLowerCase();
  const [architecture, implied] = architectureAliases.get(named) ?? [named];
  const variant = normalizeVariant(architecture, platform.variant?.toLowerCase() || implied);
  return withoutUndefined({
    os: osAliases.get(os) ?? os,
    architecture,
    variant,
    osVersion: platform.osVersion,
  });
}

function normalizeVariant(architecture: string, variant: string | undefined): string | undefined {
  const usual = defaultVariants.get(architecture);
  const named = variant !== undefined && usual !== undefined && /^\d/.test(variant) ? `v${variant}` : variant;
  if (architecture === "arm") return named ?? usual;
  return named === usual || named === `${usual}.0` ? undefined : named;
}

/**
 * Whether an image for `offered` runs on `wanted`: the operating system and architecture are the same, and the variant is the
 * same or an older one (arm `v7` runs `v6`).
 * @example
 * platformMatches(parsePlatform("linux/arm/v7"), parsePlatform("linux/arm/v6")); // true
 */
export function platformMatches(wanted: Platform, offered: Platform): boolean {
  return variantDistance(wanted, offered) !== undefined;
}

/**
 * The item of `offered` that matches `wanted` best: the nearest variant, the first of equal ones. Items without a platform are
 * not chosen.
 * @throws ScanError `no_such_platform`, with the available platforms
 * @example
 * const offered = [{ platform: parsePlatform("linux/arm64") }, { platform: parsePlatform("linux/amd64") }];
 * choosePlatform(offered, parsePlatform("amd64")); // { platform: { os: "linux", architecture: "amd64" } }
 */
export function choosePlatform<Offered extends { readonly platform?: Platform }>(
  offered: readonly Offered[],
  wanted: Platform,
): Offered {
  let best: { readonly item: Offered; readonly distance: number } | undefined;
  for (const item of offered) {
    const distance = item.platform && variantDistance(wanted, item.platform);
    if (distance !== undefined && (best === undefined || distance < best.distance)) best = { item, distance };
  }
  if (best !== undefined) return best.item;
  const names = new Set(offered.flatMap(({ platform }) => (platform ? [formatPlatform(platform)] : [])));
  const found = names.size === 0 ? "no platform" : [...names].sort().join(", ");
  throw new ScanError("no_such_platform", `expected an image for ${formatPlatform(wanted)}, found ${found}`);
}

/** How much older the variant of `offered` is, 0 for equal platforms; undefined when `offered` does not run on `wanted`. */
function variantDistance(wanted: Platform, offered: Platform): number | undefined {
  const [ours, theirs] = [normalizePlatform(wanted), normalizePlatform(offered)];
  if (ours.os !== theirs.os || ours.architecture !== theirs.architecture) return undefined;
  if (wanted.osVersion !== undefined && wanted.osVersion !== offered.osVersion) return undefined;
  if (ours.variant === theirs.variant) return 0;
  const [ourLevel, theirLevel] = [variantLevel(ours), variantLevel(theirs)];
  if (ourLevel === undefined || theirLevel === undefined || theirLevel > ourLevel) return undefined;
  return ourLevel - theirLevel;
}

/** `v9.2` → 9.02; undefined for a variant without a number. */
function variantLevel({ architecture, variant = defaultVariants.get(architecture) }: Platform): number | undefined {
  const match = /^v(\d{1,2})(?:\.(\d{1,2}))?$/.exec(variant ?? "");
  return match ? Number(match[1]) + Number(match[2] ?? 0) / 100 : undefined;
}

function notPlatform(text: string): ScanError {
  const shown = JSON.stringify(text.slice(0, 100));
  return new ScanError("no_such_platform", `expected os/architecture[/variant], found ${shown}`);
}
