// SPDX-License-Identifier: Apache-2.0

/// The outcome of one call.
package enum CallOutcome: Sendable {
    case called
    /// The call is queued until it can run where the handler belongs.
    case queued
    /// The observation has ended.
    case ended
    /// The observation is blocked, or its filter rejected the message.
    case skipped
    /// Its owner or subject has expired.
    case expired
}
