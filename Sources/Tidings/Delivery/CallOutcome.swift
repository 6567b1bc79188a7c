// SPDX-License-Identifier: Apache-2.0

/// What became of one call.
enum CallOutcome {
    case called
    /// The call waits until the handler can be called where it belongs.
    case queued
    /// The observation has ended.
    case ended
    /// It is blocked, or its filter did not let the message through.
    case skipped
    /// Its owner died.
    case expired
}
