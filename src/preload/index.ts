import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron';
import {
  type BridgeAnswer,
  bridgeChannels,
  type ErrorPayload,
  type WindowBridge,
} from '../shared/contract/bridge.ts';

const bridge: WindowBridge = {
  request: (call, args) => ipcRenderer.invoke(bridgeChannels.request, call, args) as Promise<BridgeAnswer>,
  onEvent(listener) {
    const forward = (_event: IpcRendererEvent, name: string, payload: unknown): void =>
      listener(name, payload);
    ipcRenderer.on(bridgeChannels.event, forward);
    return () => ipcRenderer.off(bridgeChannels.event, forward);
  },
  onClose(listener) {
    const forward = (_event: IpcRendererEvent, reason: ErrorPayload): void => listener(reason);
    ipcRenderer.on(bridgeChannels.close, forward);
    return () => ipcRenderer.off(bridgeChannels.close, forward);
  },
};

contextBridge.exposeInMainWorld('gymwright', bridge);
