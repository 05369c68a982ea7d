/**
 * What requests need of undici, to be imported when something is asked for: of a CommonJS package that is imported so itself, a
 * bundle has nothing but the default.
 */
export { Agent, buildConnector, Dispatcher, EnvHttpProxyAgent, fetch, request } from "undici";
