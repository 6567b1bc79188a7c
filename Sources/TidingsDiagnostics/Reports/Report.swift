// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The severity of a report.
@nonexhaustive public enum ReportLevel: String, Hashable, Sendable, Codable {
    /// Informational.
    case info
    /// A problem that was handled.
    case warning
    /// A failure.
    case error
    /// A failure that ended the program.
    case fatal
}

/// A recorded error or a crash, with its circumstances.
///
/// Reports are redacted when they are assembled. `beforeSend` may change everything except the
/// identifier:
///
/// ```swift
/// configuration.beforeSend = { report in
///     var report = report
///     report.user = nil
///     return report
/// }
/// ```
public struct Report: Hashable, Sendable, Codable, Identifiable {
    /// The unique identifier, a lowercase UUID.
    public let id: String
    /// The date of the recording or the crash.
    public var date: Date
    /// The severity.
    public var level: ReportLevel
    /// The name of the program.
    public var application: String
    /// The version of the program.
    public var release: String
    /// The environment of the program, such as `production`.
    public var environment: String?
    /// The user that was set, if any.
    public var user: String?
    /// The error, followed by its causes; empty for a crash.
    public var errors: [ReportedError]
    /// The additional values that the caller recorded with this error.
    public var context: [String: ReportValue]
    /// The keys that were set.
    public var values: [String: ReportValue]
    /// The preceding events, oldest first.
    public var breadcrumbs: [Breadcrumb]
    /// The call stack of the recording or the crash, innermost call first.
    public var frames: [ReportedFrame] = []
    /// The loaded files that contain the frames.
    package var images: [ReportedImage] = []
    /// The details of a crash; nil for a recorded error.
    public var crash: ReportedCrash?
    /// The machine that the program ran on.
    public var machine: ReportedMachine?
    /// The key that a server groups by; empty for the server's own rules.
    public var grouping: [String] = []
    /// The identifier of the session.
    public var session: String?
}

/// One error in a chain of causes.
public struct ReportedError: Hashable, Sendable, Codable {
    /// The type of the error, or its domain.
    public var domain: String
    /// The code of the error within its domain.
    public var code: String?
    /// The description of the error.
    public var message: String
    /// The line that created the error, as `#fileID:line`.
    public var location: String?
}
