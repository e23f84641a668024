/** What browsers show beside the title. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#3d4cc4"/><path d="M8 3 2 6l6 3 6-3zM4.5 8.5V11c1 1 2.200 1.500 3.500 1.500s2.500-.5 3.500-1.500V8.500L8 10.200z" fill="#fff"/></svg>`
