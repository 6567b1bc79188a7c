// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// An update on one run of a program.
package struct ReportedSession: Hashable, Sendable, Codable {
    /// The state of a run.
    package enum Status: String, Hashable, Sendable, Codable {
        /// The run continues.
        case running
        /// The run ended normally or by a signal that requested the end.
        case ended
        /// The run crashed.
        case crashed
        /// The run ended without notice, for example by `kill -9` or a power failure.
        case vanished
    }

    /// The identifier of the run, a lowercase UUID.
    package var id: String
    /// Whether this is the first update on the run.
    package var isFirst: Bool
    /// A number that increases with each update on the run.
    package var sequence: Int
    /// The state of the run.
    package var status: Status
    /// The start of the run.
    package var started: Date
    /// The date of this update.
    package var date: Date
    /// The number of recorded errors, including a crash.
    package var errors: Int
    /// The version of the program.
    package var release: String
    /// The environment of the program, such as `production`.
    package var environment: String?
}
