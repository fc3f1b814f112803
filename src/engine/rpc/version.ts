import packageJson from '../../../package.json' with { type: 'json' };

/** Version of this build, as package.json has it. */
export const engineVersion: string = packageJson.version;
