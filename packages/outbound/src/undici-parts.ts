/**
 * The parts of undici that requests need, imported at the first request. A separate module, because in a bundle a dynamic import of a
 * CommonJS package has only the default export.
 */
export { Agent, buildConnector, Dispatcher, EnvHttpProxyAgent, fetch, request } from "undici";
