/** Monaco's name of EDL; apart from the registration so that panels need not load Monaco to know it. */
export const edlLanguageId = 'edl';
