// SPDX-License-Identifier: Apache-2.0
public import Tidings

extension CrashReporter {
    /// A center whose messages become breadcrumbs.
    struct Followed: Sendable {
        weak let center: MessageCenter?
        let token: ObservationToken
    }

    struct FollowedCenters {
        var centers: [Followed] = []
        /// Grows with each change, so that one can be prepared outside the lock.
        var version = 0
    }

    /// Makes a breadcrumb of every message posted on a center, as its type's `tracing` allows.
    ///
    /// It ends with the center or the reporter. Following a center again changes nothing.
    public func follow(_ center: MessageCenter) {
        guard isRecording else { return }
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

    /// Sets a value that every later report has, that of a crash included; nil takes it away.
    ///
    /// A reporter keeps 64; a further key is not taken, and ``statistics`` counts it.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: Its name. A value under the name of a secret, such as `token`, is not kept.
    public func setValue(_ value: ReportValue?, forKey key: String) {
        guard let run else { return }
        let name = scribe.name(key)
        let value = value.map { scribe.value($0, for: key) }
        scope.withLock { scope in
            guard scope.set(value, for: name) else { return }
            run.file.setScope(scope.record.bytes)
        }
    }

    /// Sets who uses the program; nil forgets it.
    ///
    /// - Parameter user: An identifier that says no more about the person than needed: a number or
    ///   a name, or a UUID or a digest in hexadecimal, which are kept here although they look like
    ///   keys. A mail address is redacted.
    public func setUser(_ user: String?) {
        guard let run else { return }
        let user = user.map { scribe.user($0) }
        scope.withLock { scope in
            scope.user = user
            run.file.setScope(scope.record.bytes)
        }
    }

    /// Sets keys for what an operation records, and the tasks that it starts, and nothing else.
    ///
    /// They stand beside those of ``setValue(_:forKey:)`` or in their place; those of a further
    /// call within the operation beside these. A crash report does not have them.
    ///
    /// ```swift
    /// try await reporter.withValues(["lesson": "12"]) {
    ///     try await download()
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - values: The values by their names.
    ///   - operation: What is done.
    /// - Returns: What the operation returns.
    /// - Throws: What the operation throws.
    public func withValues<Result, Failure: Error>(
        _ values: [String: ReportValue],
        operation: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        do {
            return try await LocalScope.$values.withValue(localScope(adding: values)) {
                try await operation()
            }
        } catch let error as Failure {
            throw error
        } catch {
            preconditionFailure("Only the operation throws.")
        }
    }

    private func localScope(
        adding values: [String: ReportValue]
    ) -> [ObjectIdentifier: [String: ReportValue]] {
        var all = LocalScope.values
        var own = all[ObjectIdentifier(self)] ?? [:]
        for (name, value) in kept(values) { own[name] = value }
        all[ObjectIdentifier(self)] = kept(own)
        return all
    }

    /// The values as they may be recorded; the first by name are taken.
    func kept(_ values: [String: ReportValue]) -> [String: ReportValue] {
        var kept: [String: ReportValue] = [:]
        for (name, value) in values.sorted(by: { $0.key < $1.key }).prefix(Self.contextLimit) {
            kept[scribe.name(name)] = scribe.value(value, for: name)
        }
        return kept
    }

    /// How many values a context can have.
    static var contextLimit: Int { 32 }

    private func append(
        _ text: String,
        _ origin: Breadcrumb.Origin,
        isRedacted: Bool,
        _ location: String?
    ) {
        guard let run else { return }
        let breadcrumb = Breadcrumb(
            date: configuration.now(),
            origin: origin,
            text: isRedacted ? text : scribe.text(text),
            location: location
        )
        // Released outside the lock.
        _ = scope.withLock { scope in
            run.file.append(breadcrumb)
            return scope.append(breadcrumb)
        }
    }
}
