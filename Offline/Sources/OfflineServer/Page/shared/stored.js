// SPDX-License-Identifier: Apache-2.0
// The settings that this browser stores, each under its own key.

/** Reads a setting of this browser. */
export function stored(key, fallback) {
  try {
    return localStorage.getItem(key) ?? fallback;
  } catch {
    return fallback;
  }
}

/**
 * Stores a setting of this browser. If the browser forbids storage, the setting is lost with the
 * page.
 */
export function store(key, value) {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Playing needs no storage.
  }
}
