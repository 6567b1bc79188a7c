// SPDX-License-Identifier: Apache-2.0

/// Lets one at a time tell of a change, so that the last one told is the newest.
///
/// Whoever tells reads what it tells only then. Who comes meanwhile leaves, and the one who tells
/// does it once more.
struct Turnstile {
    private var isBusy = false
    private var isChanged = false

    /// Notes a change and says whether the caller is the one to tell.
    mutating func enter() -> Bool {
        isChanged = true
        defer { isBusy = true }
        return !isBusy
    }

    /// Ends the turn; what is to be told stays for whoever comes next.
    mutating func leave() {
        isBusy = false
    }

    /// Whether there is something to tell; if not, the turn is over.
    mutating func next() -> Bool {
        isBusy = isChanged
        isChanged = false
        return isBusy
    }
}
