// SPDX-License-Identifier: Apache-2.0

/// A message that had no recipient when it was posted.
///
/// ```swift
/// let token = center.addUnhandledHook { message in print("no observer of \(message.name)") }
/// ```
public struct UnhandledMessage: Sendable {
    /// The message itself.
    public let message: any Message
    /// The name of its type, without its module, or the name under which it was posted.
    public let name: String
    /// Where it was posted, as `#fileID:line`.
    public let location: String
}
