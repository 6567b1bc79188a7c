// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// An event that preceded a report.
public struct Breadcrumb: Hashable, Sendable, Codable {
    /// The source of a breadcrumb.
    @nonexhaustive public enum Origin: String, Hashable, Sendable, Codable {
        /// `log` was called.
        case log
        /// A message was posted on a followed center.
        case message
    }

    /// The date of the event.
    public let date: Date
    /// The source of the breadcrumb.
    public let origin: Origin
    /// The logged text, or the message's type with the content that its `tracing` allows.
    public let text: String
    /// The line that posted the message, as `#fileID:line`.
    public let location: String?
}
