/** Invalid settings or environment. Each line of the message names a setting and a valid value. */
export class ConfigError extends Error {}
