/** The matcher of Ubuntu packages. */
export { ubuntuMatcher } from "../ecosystems/dpkg/matcher.ts";
