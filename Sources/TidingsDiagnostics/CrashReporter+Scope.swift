// SPDX-License-Identifier: Apache-2.0
public import Tidings
import TidingsLock
import TidingsTracing

extension CrashReporter {
    /// A center whose messages become breadcrumbs.
    struct Followed: Sendable {
        weak let center: MessageCenter?
        let token: ObservationToken
    }

    struct FollowedCenters {
        var centers: [Followed] = []
        /// A number that increases with each change, for optimistic updates outside the lock.
        var version = 0
    }

    /// Turns every message that a center posts into a breadcrumb.
    ///
    /// A breadcrumb has as much detail as the `tracing` of the message type allows.
    ///
    /// Following ends when the center or the reporter ends. Following a center
    /// twice has no effect.
    public func follow(_ center: MessageCenter) {
        guard isRecording else { return }
        let token = center.watch(posting: { [weak self] posting in
            let (name, detail) = (posting.name, posting.detail)
            let text = detail.map { "\(name) \($0)" } ?? name
            guard let self else { return }
            // The type of a message contains nothing about the user.
            let safe = detail == nil ? text : writer.text(text)
            append(safe, category: Breadcrumb.messageCategory, at: posting.location)
        })
        // Reading a weak center can release the center, which must not happen under the lock.
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

    /// Adds a breadcrumb.
    ///
    /// ```swift
    /// reporter.log("muxing started", category: "mux", data: ["segments": 12])
    /// ```
    ///
    /// - Parameters:
    ///   - message: The text, of which 1,024 bytes are kept.
    ///   - level: The severity.
    ///   - category: The kind of event, of which 64 bytes are kept.
    ///   - data: Further values, with space for about 600 bytes in total. Of more values, the first
    ///     values by name that fit are kept.
    public func log(
        _ message: String,
        level: ReportLevel = .info,
        category: String = "log",
        data: [String: ReportValue] = [:]
    ) {
        append(
            writer.text(message),
            category: category == Breadcrumb.logCategory ? category : writer.name(category),
            level: level,
            data: data.isEmpty ? data : recordable(data)
        )
    }

    /// Sets a value that all later reports include, or removes the value with nil.
    ///
    /// Crash reports also include the value.
    ///
    /// A reporter keeps up to 64 keys. Further keys are refused, and ``state`` counts them.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The name of the value. If the key names a secret, such as `token`, the value is
    ///     redacted.
    public func setValue(_ value: ReportValue?, forKey key: String) {
        guard let run else { return }
        let name = writer.name(key)
        let value = value.map { writer.value($0, for: key) }
        scope.withLock { scope in
            guard scope.set(value, for: name) else { return }
            run.file.setScope(scope.record.bytes)
        }
    }

    /// Sets the user of the program, or removes the user with nil.
    ///
    /// - Parameter user: An identifier that reveals as little as possible about the user. Use a
    ///   number, a name, a UUID or a hexadecimal digest. UUIDs and digests are kept here, although
    ///   they look like keys. Email addresses are redacted.
    public func setUser(_ user: String?) {
        guard let run else { return }
        let user = user.map { writer.user($0) }
        scope.withLock { scope in
            scope.user = user
            run.file.setScope(scope.record.bytes)
        }
    }

    /// Sets keys for everything that an operation and the child tasks record.
    ///
    /// These keys extend or override the keys of ``setValue(_:forKey:)``. A nested call extends or
    /// overrides the outer call. Crash reports do not include these keys.
    ///
    /// ```swift
    /// try await reporter.withValues(["lesson": "12"]) {
    ///     try await download()
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - values: The values by key.
    ///   - operation: The operation to run.
    /// - Returns: The result of the operation.
    /// - Throws: The error of the operation.
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
        for (name, value) in recordable(values) { own[name] = value }
        all[ObjectIdentifier(self)] = recordable(own)
        return all
    }

    /// Returns redacted values, of which only the first by name are kept if there are too many.
    func recordable(_ values: [String: ReportValue]) -> [String: ReportValue] {
        var kept: [String: ReportValue] = [:]
        for (name, value) in values.sorted(by: { $0.key < $1.key }).prefix(Self.contextLimit) {
            kept[writer.name(name)] = writer.value(value, for: name)
        }
        return kept
    }

    /// The maximum number of values in a context.
    static var contextLimit: Int { 32 }

    private func append(
        _ text: String,
        category: String,
        level: ReportLevel = .info,
        data: [String: ReportValue] = [:],
        at location: String? = nil
    ) {
        guard let run else { return }
        var breadcrumb = Breadcrumb(
            date: configuration.now(),
            category: category,
            level: level,
            text: text,
            data: data,
            location: location
        )
        // After `append`, the variable has the dropped breadcrumb, which is released outside the
        // lock.
        scope.withLock { scope in
            run.file.append(breadcrumb)
            scope.breadcrumbs.append(&breadcrumb)
        }
    }
}
