// SPDX-License-Identifier: Apache-2.0

/// How long a center keeps a message for later observers.
enum Retention: Hashable {
    /// As one of the newest messages of its type, up to this number.
    case newest(Int)
    /// Until a handler was called with it.
    case untilHandled
}
