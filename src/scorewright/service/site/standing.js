// Where a session stands. The labels of efforts found on the way go with the setting, which does not name them.

export async function standingOf(api, path) {
  const standing = await api.get(path);
  standing.setting.discovered = standing.discovered;
  return standing;
}
