/**
 * What fetching layers needs of undici, to be imported when something is fetched: of a CommonJS package that is imported so itself,
 * a bundle has nothing but the default.
 */
export { Agent, buildConnector, EnvHttpProxyAgent, request } from "undici";
