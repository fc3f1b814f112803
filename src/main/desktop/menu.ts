import { app, Menu, type MenuItemConstructorOptions } from 'electron';

export interface MenuActions {
  openWorkspace(): void;
  restartEngine(): void;
}

/** The native menu: what belongs to the shell. The workbench's own commands are in its palette. */
export function setMenu({ openWorkspace, restartEngine }: MenuActions): void {
  const isMac = process.platform === 'darwin';
  const applicationMenu: MenuItemConstructorOptions[] = isMac ? [{ role: 'appMenu' }] : [];
  const template: MenuItemConstructorOptions[] = [
    ...applicationMenu,
    {
      label: 'File',
      submenu: [
        { label: 'Open Workspace…', accelerator: 'CmdOrCtrl+O', click: openWorkspace },
        { label: 'Restart Engine', click: restartEngine },
        { type: 'separator' },
        isMac ? { role: 'close' } : { role: 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: 'View',
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
        ...(app.isPackaged ? [] : [{ role: 'toggleDevTools' } as const]),
      ],
    },
    { role: 'windowMenu' },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
