// SPDX-License-Identifier: Apache-2.0

/// What is called with a name and what was posted under it.
public typealias NamedHandler = @Sendable (String, (any Sendable)?) throws -> Void

extension MessageCenter {
    /// Observes a name with a closure until the token is cancelled or dropped.
    ///
    /// For code that cannot name a type yet. It receives what is posted under the name, and every
    /// ``NamedMessage`` of that name. One object may observe several names, several may observe
    /// one, and one may observe a name several times. The rules are those of observing a type.
    ///
    /// ```swift
    /// let token = center.observe(named: "InternetConnect") { name, object in print(name) }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - priority: Its place among the observations of this name and its types.
    ///   - once: Whether the observation ends with its first call.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - fileID: The observing file, for those who look for leaks.
    ///   - line: The observing line.
    ///   - handler: What to do with the name and the object.
    /// - Returns: The token that ends the observation.
    public func observe(
        named name: String,
        priority: ObservationPriority = .normal,
        once: Bool = false,
        about subject: MessageSubject? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler: @escaping @Sendable (_ name: String, _ object: (any Sendable)?) throws -> Void
    ) -> ObservationToken {
        let source = SourceLocation(fileID: fileID, line: line)
        return add(named: name, .init(priority, once: once, about: subject, where: nil, source)) {
            ClosureRegistration<UntypedMessage>($0) { try handler($0.name, $0.object) }
        }
    }

    /// Observes a name on the main actor until the token is cancelled or dropped.
    ///
    /// ```swift
    /// let token = center.observe(named: "InternetConnect", on: .main) { name, object in
    ///     banner.show(name)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - isolation: `.main`.
    ///   - priority: Its place among the observations of this name and its types.
    ///   - once: Whether the observation ends with its first call.
    ///   - subject: What messages must be about; anything and nothing, unless stated.
    ///   - buffering: What is kept of the calls that wait for the main actor.
    ///   - fileID: The observing file, for those who look for leaks.
    ///   - line: The observing line.
    ///   - handler: What to do with the name and the object.
    /// - Returns: The token that ends the observation.
    public func observe(
        named name: String,
        on isolation: MainIsolation,
        priority: ObservationPriority = .normal,
        once: Bool = false,
        about subject: MessageSubject? = nil,
        buffering: Buffering = .unbounded,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ handler:
            @escaping @MainActor @Sendable (
                _ name: String, _ object: (any Sendable)?
            ) throws -> Void
    ) -> ObservationToken {
        let source = SourceLocation(fileID: fileID, line: line)
        let wish = ObservationWish<UntypedMessage>(
            priority,
            once: once,
            about: subject,
            where: nil,
            onMain: buffering,
            source
        )
        return add(named: name, wish, on: .main) {
            ClosureRegistration<UntypedMessage>($0, main: { try handler($0.name, $0.object) })
        }
    }
}
