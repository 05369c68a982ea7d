/** The matcher of Debian packages. */
export { debianMatcher } from "../ecosystems/dpkg/matcher.ts";
