// SPDX-License-Identifier: Apache-2.0
// What the page uses of browsers and TypeScript 4.8 does not know, for `tsconfig.json`.

/** The page has only elements of HTML and SVG, which share these members. */
interface Element extends HTMLOrSVGElement {
  inert: boolean;
  checkVisibility(): boolean;
}

/** The target of an event may be an element. */
interface EventTarget {
  closest?(selectors: string): Element | null;
}

interface Navigator {
  setAppBadge?(count: number): Promise<void>;
  clearAppBadge?(): Promise<void>;
}

interface FileSystemFileHandle {
  createSyncAccessHandle(): Promise<any>;
}

interface Array<T> {
  findLast(isFound: (value: T) => boolean): T | undefined;
  findLastIndex(isFound: (value: T) => boolean): number;
  toReversed(): T[];
  toSorted(compare: (first: T, second: T) => number): T[];
}

interface MapConstructor {
  groupBy<Key, Value>(values: Iterable<Value>, key: (value: Value) => Key): Map<Key, Value[]>;
}

interface PromiseConstructor {
  withResolvers(): { promise: Promise<any>, resolve: (value?: any) => void, reject: (error: any) => void };
}
