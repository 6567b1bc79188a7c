// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The severity of a report.
@nonexhaustive public enum ReportLevel: String, Hashable, Sendable, Codable {
    /// Information without a problem.
    case info
    /// A problem that was handled.
    case warning
    /// A failure.
    case error
    /// A failure that ended the program.
    case fatal
}

/// A recorded error or a crash, with the circumstances.
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
    /// The distribution of the release, such as a build number, if set.
    public var dist: String?
    /// The name of the machine, if set.
    public var serverName: String?
    /// The user that was set, if any.
    public var user: String?
    /// The error, followed by the causes, or no error for a crash.
    public var errors: [ReportedError]
    /// The additional values that the caller recorded with this error.
    public var context: [String: ReportValue]
    /// The keys that were set, and the tags of this error, which override the keys.
    public var values: [String: ReportValue]
    /// The preceding events, oldest first.
    public var breadcrumbs: [Breadcrumb]
    /// The call stack of the recording or the crash, innermost call first.
    public var frames: [ReportedFrame] = []
    /// The threads that did not crash, as far as they could be asked.
    public var threads: [ReportedThread] = []
    /// The loaded files that contain the frames.
    package var images: [ReportedImage] = []
    /// The details of a crash, or nil for a recorded error.
    public var crash: ReportedCrash?
    /// The machine that the program ran on: `system`, `kernel`, `architecture` and `locale`, if
    /// known.
    public var machine: [String: String] = [:]
    /// The key by which a server groups, or an empty key for the server's own rules.
    public var grouping: [String] = []
    /// The attached files by name: at most four, of at most 16 KiB each.
    ///
    /// The files are redacted as text. The content of a file whose name belongs to a secret, such
    /// as `.env`, `id_rsa` or `token.txt`, is left out. Only PNG, JPEG, gzip and zip data that the
    /// program attached to an error is not examined.
    public var attachments: [String: Data] = [:]
    /// The identifier of the session.
    package var session: String?
}

extension Report {
    /// Creates a report without circumstances, for the tests of a sink or of `beforeSend`.
    ///
    /// ```swift
    /// var report = Report(application: "films", release: "films@1.0")
    /// report.user = "ada"
    /// let receipt = await sink.send(ReportDelivery(report: report))
    /// ```
    ///
    /// - Parameters:
    ///   - id: The unique identifier, a lowercase UUID.
    ///   - date: The date of the recording.
    ///   - level: The severity.
    ///   - application: The name of the program.
    ///   - release: The version of the program.
    ///   - errors: The error, followed by the causes.
    public init(
        id: String = UUID().uuidString.lowercased(),
        date: Date = Date(),
        level: ReportLevel = .error,
        application: String,
        release: String,
        errors: [ReportedError] = []
    ) {
        self.init(
            id: id,
            date: date,
            level: level,
            application: application,
            release: release,
            environment: nil,
            user: nil,
            errors: errors,
            context: [:],
            values: [:],
            breadcrumbs: []
        )
    }
}

/// One error in a chain of causes.
public struct ReportedError: Hashable, Sendable, Codable {
    /// The type or the domain of the error.
    public var domain: String
    /// The code of the error within the domain.
    public var code: String?
    /// The description of the error.
    public var message: String
    /// The line that created the error, as `#fileID:line`.
    public var location: String?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - domain: The type or the domain of the error.
    ///   - code: The code of the error within the domain.
    ///   - message: The description of the error.
    ///   - location: The line that created the error, as `#fileID:line`.
    public init(domain: String, code: String? = nil, message: String, location: String? = nil) {
        self.domain = domain
        self.code = code
        self.message = message
        self.location = location
    }
}
