import type { RegistrySettings } from "../settings.ts";

/** The settings that say which robots there may be. */
export type RobotSettings = Pick<RegistrySettings, "allowedRobots"> & {
  readonly features: Pick<RegistrySettings["features"], "robots">;
};

/** What those are told who would make or use a robot that may not be. */
export const robotsAreOff = "Robots are switched off in this registry; ask whoever runs it";

/** Whether the robot of a name, `namespace+short`, may be made, push and pull. */
export function isAllowedRobot({ features, allowedRobots }: RobotSettings, username: string): boolean {
  return features.robots || allowedRobots.includes(username);
}
