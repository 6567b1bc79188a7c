// SPDX-License-Identifier: Apache-2.0

/// Merges repeated change notifications into one running pass, so that the last value is posted
/// last.
///
/// One caller runs the pass and reads the current value in each round. Callers that arrive during
/// the pass return immediately, and the pass adds one more round.
struct CoalescedUpdate {
    private var isBusy = false
    private var isChanged = false

    /// Marks a change.
    ///
    /// Returns true if the caller has to run the pass.
    mutating func begin() -> Bool {
        isChanged = true
        defer { isBusy = true }
        return !isBusy
    }

    /// Ends the pass early.
    ///
    /// A marked change stays for the next caller of ``begin()``.
    mutating func end() {
        isBusy = false
    }

    /// Returns true if there is a change to post, and false to end the pass.
    mutating func next() -> Bool {
        isBusy = isChanged
        isChanged = false
        return isBusy
    }
}
