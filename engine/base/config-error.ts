/** Settings or surroundings that cannot be used: a line for each, which names the setting and says what would be right. */
export class ConfigError extends Error {}
