/** Environment variable that lists shared libraries of scenarios, separated as in PATH. Child processes inherit it. */
export const scenariosVariable = 'GYMWRIGHT_SCENARIOS';
