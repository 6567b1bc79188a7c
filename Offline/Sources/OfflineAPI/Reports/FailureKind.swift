// SPDX-License-Identifier: Apache-2.0

/// The part of the work that failed.
///
/// Every report of this program names this part.
package enum FailureKind: String, Sendable, CaseIterable {
    /// The program could not fetch or store bytes.
    case download
    /// The program could not read a playlist, or the content in place of a playlist.
    case parse
    /// The program could not join the parts into one file, or the file did not pass the check.
    case mux
    /// The registry refused a change.
    case database

    /// The name of the context value that holds the kind of a report.
    package static let key = "error_type"
}
