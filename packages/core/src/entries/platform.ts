/** Platforms of images: operating system, architecture and variant. */
export { choosePlatform, formatPlatform, type Platform, parsePlatform, platformMatches } from "../model/platform.ts";
