/** Platforms of images: operating system, architecture and variant. */
export { formatPlatform, type Platform, parsePlatform, platformMatches } from "../model/platform.ts";
