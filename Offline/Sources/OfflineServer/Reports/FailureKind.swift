// SPDX-License-Identifier: Apache-2.0

/// The part of the work that failed; every report of this program names it.
package enum FailureKind: String, Sendable, CaseIterable {
    /// Bytes could not be fetched or kept.
    case download
    /// A playlist, or the content in its place, could not be read.
    case parse
    /// The parts could not be joined into one file, or the file did not pass its check.
    case mux
    /// The registry refused a change.
    case database

    /// The name of the context value that holds the kind of a report.
    package static let key = "error_type"
}
