// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// How bad it is.
@nonexhaustive public enum ReportLevel: String, Hashable, Sendable, Codable {
    /// For the record.
    case info
    /// Something went wrong and was dealt with.
    case warning
    /// Something failed.
    case error
}

/// An error that was recorded, with what was known at that moment.
public struct Report: Hashable, Sendable, Codable, Identifiable {
    /// Names this report; no other one has it.
    public let id: String
    /// When it was recorded.
    public let date: Date
    /// How bad it is.
    public let level: ReportLevel
    /// The program.
    public let application: String
    /// The program's version.
    public let release: String
    /// The user that was set, if any.
    public let user: String?
    /// The error, then what caused it, and so on.
    public let errors: [ReportedError]
    /// What the caller said about this error.
    public let context: [String: ReportValue]
    /// The keys that were set.
    public let values: [String: ReportValue]
    /// What happened before, the oldest first.
    public let breadcrumbs: [Breadcrumb]
}

/// One error of a chain.
public struct ReportedError: Hashable, Sendable, Codable {
    /// The type of the error, or its domain if it has one.
    public let domain: String
    /// The kind of error within its domain.
    public let code: String?
    /// What happened.
    public let message: String
    /// Where the error was made, as `#fileID:line`.
    public let location: String?
}
