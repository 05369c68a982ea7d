import { firstUser, type RegistryProcess } from "./registry-process.ts";

/** A name and a secret that clients sign in with. */
export interface Login {
  readonly username: string;
  readonly secret: string;
}

/** Makes an account that may push to some repositories of the first user. */
export type MakeLogin = (registry: RegistryProcess, repositories: readonly string[]) => Promise<Login>;

/** Everything that clients sign in with, by what it is. */
export const logins: Readonly<Record<string, MakeLogin>> = {
  "a user's password": async () => ({ username: firstUser.username, secret: firstUser.password }),
  "a robot": async (registry, repositories) => {
    const robot = (await registry.call("PUT", `/user/robots/for-${repositories[0]}`, {})) as {
      name: string;
      token: string;
    };
    for (const repository of repositories) {
      const made = { namespace: firstUser.username, repository, visibility: "private", description: "" };
      await registry.call("POST", "/repository", made);
      const path = `/repository/${firstUser.username}/${repository}/permissions/user/${robot.name}`;
      await registry.call("PUT", path, { role: "admin" }); // skopeo asks for all rights before it deletes
    }
    return { username: robot.name, secret: robot.token };
  },
  "an app token": async (registry) => {
    const made = (await registry.call("POST", "/user/apptoken", { title: "ci" })) as { token: { token_code: string } };
    return { username: "$app", secret: made.token.token_code };
  },
  "an OAuth token": async (registry) => ({ username: "$oauthtoken", secret: registry.token }),
};
