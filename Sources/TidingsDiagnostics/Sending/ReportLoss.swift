// SPDX-License-Identifier: Apache-2.0

/// A number of reports or sessions that were not sent.
package struct ReportLoss: Hashable, Sendable, Codable {
    /// The reason for a loss.
    package enum Reason: String, Hashable, Sendable, Codable, CaseIterable {
        /// The limit on count, size or age was exceeded.
        case spoolFull
        /// Errors were recorded faster than they could be stored.
        case queueFull
        /// The disk was full or failed.
        case diskFailed
        /// `beforeSend` returned nil.
        case beforeSend
        /// The error was dropped by sampling.
        case sampled
        /// The server refused the report or session.
        case refused
        /// The report could not be read.
        case unreadable
    }

    /// The reason.
    package var reason: Reason
    /// The category of the lost content.
    package var category: ReportCategory
    /// The number of losses.
    package var quantity: Int
}
