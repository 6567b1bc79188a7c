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
    /// The program ended by it.
    case fatal
}

/// What was recorded about an error or a crash, with what was known at that moment.
///
/// Reports are redacted when they are made. `beforeSend` may change everything but the identifier:
///
/// ```swift
/// configuration.beforeSend = { report in
///     var report = report
///     report.user = nil
///     return report
/// }
/// ```
public struct Report: Hashable, Sendable, Codable, Identifiable {
    /// What no other report has: a UUID in lower case.
    public let id: String
    /// When it was recorded, or when the program crashed.
    public var date: Date
    /// How bad it is.
    public var level: ReportLevel
    /// The program.
    public var application: String
    /// The program's version.
    public var release: String
    /// Where the program runs, such as `production`.
    public var environment: String?
    /// The user that was set, if any.
    public var user: String?
    /// The error, then what caused it, and so on; none for a crash.
    public var errors: [ReportedError]
    /// What the caller said about this error.
    public var context: [String: ReportValue]
    /// The keys that were set.
    public var values: [String: ReportValue]
    /// What happened before, the oldest first.
    public var breadcrumbs: [Breadcrumb]
    /// Where it was recorded, or where the program crashed, the innermost call first.
    public var frames: [ReportedFrame] = []
    /// The files in which the frames lie.
    public var images: [ReportedImage] = []
    /// How the program crashed; nil for an error that was recorded.
    public var crash: ReportedCrash?
    /// The machine that it happened on.
    public var machine: ReportedMachine?
    /// What a server is to group by instead of its own rules; its own rules if empty.
    public var grouping: [String] = []
    /// The session in which it happened.
    public var session: String?
}

/// One error of a chain.
public struct ReportedError: Hashable, Sendable, Codable {
    /// The type of the error, or its domain if it has one.
    public var domain: String
    /// The kind of error within its domain.
    public var code: String?
    /// What happened.
    public var message: String
    /// Where the error was made, as `#fileID:line`.
    public var location: String?
}
