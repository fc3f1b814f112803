/** Version of this library, as package.json has it; part of what a study or a policy file says about its origin. */
export const libraryVersion = '0.1.0';
