import { allSettings, type SettingName } from "./all-settings.ts";
import { nearestWord } from "./nearest-word.ts";
import { environmentNames } from "./settings.ts";

/** An environment variable with our prefix that no setting has. */
export interface UnknownVariable {
  readonly variable: string;
  /** The most similar variable of a setting. */
  readonly nearest: string;
}

/** Variables that are not settings: of the command itself, and of programs that test it. */
const others = /^PLIMSOLL_(CONFIG$|TEST_)/;

/**
 * Kubernetes gives each container variables of the services of its namespace, for example `PLIMSOLL_SERVICE_HOST` for one named plimsoll.
 * @see https://kubernetes.io/docs/tutorials/services/connect-applications-service/#environment-variables
 */
const ofServices = /_SERVICE_HOST$|_SERVICE_PORT|_PORT_\d+_(TCP|UDP|SCTP)/;
const serviceAddress = /^(tcp|udp|sctp):\/\//;

/** Beyond that, they are not worth their lines in the log. */
const maxUnknown = 20;

/**
 * Environment variables that begin with `PLIMSOLL_` and that no setting has: they may be mistyped. They cannot be refused, because other
 * programs may use the prefix.
 */
export function unknownVariables(env: Readonly<Record<string, string | undefined>>): readonly UnknownVariable[] {
  const known = Object.keys(allSettings).flatMap((name) => environmentNames(name as SettingName));
  const isUnknown = ([variable, value = ""]: readonly [string, string | undefined]) =>
    variable.startsWith("PLIMSOLL_") &&
    value !== "" &&
    ![others, ofServices].some((pattern) => pattern.test(variable)) &&
    !(variable.endsWith("_PORT") && serviceAddress.test(value)) &&
    !known.includes(variable);
  return Object.entries(env)
    .filter(isUnknown)
    .slice(0, maxUnknown)
    .map(([name]) => {
      const variable = name.slice(0, 100);
      return { variable, nearest: nearestWord(variable, known) };
    });
}
