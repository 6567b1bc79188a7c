// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Tidings

/// Records errors, and what happened before them, for the developers of a program.
///
/// Reports stay in a folder on this machine. Everything is redacted when it is recorded: queries
/// and credentials of addresses, tokens, home folders. Recording never waits for the disk and
/// never fails; what could not be kept is counted. All methods are safe from any thread.
///
/// ```swift
/// let reporter = try CrashReporter.start(
///     .init(application: "offline", release: "offline@1.0", directory: folder)
/// )
/// reporter.follow(center)
/// reporter.setValue(7, forKey: "download_queue_size")
/// reporter.record(error, context: ["attempt": 2])
/// ```
public final class CrashReporter: Sendable {
    /// Who reports, and where the reports are.
    public struct Configuration: Sendable {
        /// The program.
        public var application: String
        /// The program's version.
        public var release: String
        /// The path of the folder for reports; made, for its owner alone, when it is not there.
        public var directory: String
        /// How many reports are kept; the oldest go.
        public var countLimit = 200
        /// How many bytes all reports may have together; the oldest go.
        public var byteLimit = 8 << 20
        /// The date that reports and breadcrumbs get.
        public var now: @Sendable () -> Date = { Date() }

        /// Creates a configuration.
        ///
        /// - Parameters:
        ///   - application: The program.
        ///   - release: The program's version.
        ///   - directory: The path of the folder for reports.
        public init(application: String, release: String, directory: String) {
            self.application = application
            self.release = release
            self.directory = directory
        }
    }

    let configuration: Configuration
    let scope = Lock(Scope())
    let scribe: Scribe
    let spool: ReportSpool
    private let followed = Lock(FollowedCenters())

    /// A center whose messages become breadcrumbs.
    private struct Followed: Sendable {
        weak let center: MessageCenter?
        let token: ObservationToken
    }

    private struct FollowedCenters {
        var centers: [Followed] = []
        /// Grows with each change, so that one can be prepared outside the lock.
        var version = 0
    }

    private init(_ configuration: Configuration, redactor: Redactor) throws(DiagnosticsError) {
        self.configuration = configuration
        scribe = Scribe(redactor: redactor)
        spool = try ReportSpool(
            folder: ReportFolder(
                path: configuration.directory,
                countLimit: max(1, configuration.countLimit),
                byteLimit: max(1, configuration.byteLimit)
            )
        )
    }

    /// Begins to record.
    ///
    /// - Parameter configuration: Who reports, and where the reports are.
    /// - Returns: The reporter; keep it.
    /// - Throws: ``DiagnosticsError`` with `.folderUnusable`.
    public static func start(
        _ configuration: Configuration
    ) throws(DiagnosticsError) -> CrashReporter {
        try CrashReporter(configuration, redactor: Redactor())
    }

    static func start(
        _ configuration: Configuration,
        redactor: Redactor
    ) throws(DiagnosticsError) -> CrashReporter {
        try CrashReporter(configuration, redactor: redactor)
    }

    /// Makes a breadcrumb of every message posted on a center, as its type's `tracing` allows.
    ///
    /// It ends with the center or the reporter. Following a center again changes nothing.
    public func follow(_ center: MessageCenter) {
        let token = center.watch(posting: { [weak self] posting in
            let (name, detail) = (posting.name, posting.detail)
            let text = detail.map { "\(name) \($0)" } ?? name
            self?.append(text, .message, isRedacted: detail == nil, posting.location)
        })
        // Looking at a center may be what releases it, so that happens outside the lock.
        while true {
            let (known, version) = followed.withLock { ($0.centers, $0.version) }
            let living = known.filter { $0.center != nil }
            guard !living.contains(where: { $0.center === center }) else { return token.cancel() }
            let isDone = followed.withLock { followed in
                guard followed.version == version else { return false }
                followed.centers = living + [Followed(center: center, token: token)]
                followed.version += 1
                return true
            }
            if isDone { return }
        }
    }

    /// Adds a breadcrumb by hand.
    public func log(_ message: String) {
        append(message, .log, isRedacted: false, nil)
    }

    /// Sets a value that every later report has; nil takes it away.
    ///
    /// A reporter keeps 64; a further key is not taken, and ``statistics`` counts it.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: Its name. A value under the name of a secret, such as `token`, is not kept.
    public func setValue(_ value: ReportValue?, forKey key: String) {
        let name = scribe.name(key)
        let value = value.map { scribe.value($0, for: key) }
        scope.withLock { $0.set(value, for: name) }
    }

    /// Sets who uses the program; nil forgets it.
    ///
    /// - Parameter user: An identifier that says no more about the person than needed.
    public func setUser(_ user: String?) {
        let user = user.map { scribe.text($0) }
        scope.withLock { $0.user = user }
    }

    private func append(
        _ text: String,
        _ origin: Breadcrumb.Origin,
        isRedacted: Bool,
        _ location: String?
    ) {
        let breadcrumb = Breadcrumb(
            date: configuration.now(),
            origin: origin,
            text: isRedacted ? text : scribe.text(text),
            location: location
        )
        _ = scope.withLock { $0.append(breadcrumb) }
    }
}
